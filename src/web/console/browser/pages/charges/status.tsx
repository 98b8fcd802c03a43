import { useRef } from "preact/hooks";
import { chargeIdOf } from "../../../../../base/kernel/ids.js";
import { isUndecided } from "../../../../../service/features/med/machine.js";
import { useCall } from "../../api/use-call.js";
import { Status } from "../../parts/values.js";
import { OPEN_CASES } from "../../shell/badges.js";

const APPEALED_CASES = { query: { status: "appealed", limit: 100 } } as const;

/**
 * The state of a charge. A contested one needs somebody until it is decided: only its case knows that it is lost. All rows share the
 * lists of undecided cases. A row asks for its own case only when there are more of these than a list has.
 */
export function ChargeStatus({ of: { id, status } }: { of: { readonly id: string; readonly status: string } }) {
  const when = status === "DISPUTE" || status === "CHARGEBACK";
  const charge = chargeIdOf(id);
  const on = ["case"];
  const open = useCall("med.list", OPEN_CASES, { on, when }).state.value;
  const appealed = useCall("med.list", APPEALED_CASES, { on, when }).state.value;
  const hasMore = open.data?.has_more === true || appealed.data?.has_more === true;
  const own = useCall("med.list", { query: { charge_id: charge } }, { on, when: when && hasMore }).state.value;
  const asked = hasMore ? [own] : [open, appealed];
  // While they are read again, a new case may be missing in them: the colour stays until they are read.
  const isLost = useRef(false);
  if (asked.every(({ data, isLoading }) => data !== null && !isLoading)) {
    const cases = asked.flatMap(({ data }) => data?.data ?? []);
    isLost.current = !cases.some((one) => one.charge_id === charge && isUndecided(one.status));
  }
  return <Status status={status} {...(when && isLost.current ? { tone: "bad" } : {})} />;
}
