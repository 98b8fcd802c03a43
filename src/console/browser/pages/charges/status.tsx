import { isUndecided } from "../../../../features/med/machine.js";
import { useCall } from "../../api/use-call.js";
import { Status } from "../../parts/values.js";

/** The state of a charge. A contested one needs somebody until it is decided: only its case knows that it is lost. */
export function ChargeStatus({ of: { id, status } }: { of: { readonly id: string; readonly status: string } }) {
  const when = status === "DISPUTE" || status === "CHARGEBACK";
  const input = { query: { charge_id: id.replace(/^(tx_)?/, "ch_") } };
  const { data } = useCall("med.list", input, { on: ["case"], when }).state.value;
  const isLost = data !== null && data.data.length > 0 && !data.data.some((one) => isUndecided(one.status));
  return <Status status={status} {...(when && isLost ? { tone: "bad" } : {})} />;
}
