import { useRef } from "preact/hooks";
import { chargeIdOf } from "../../../../../base/kernel/ids.js";
import { isUndecided } from "../../../../../service/features/med/machine.js";
import { useCall } from "../../api/use-call.js";
import { Status } from "../../parts/values.js";
import { OPEN_CASES } from "../../shell/due.js";

const APPEALED_CASES = { query: { status: "appealed", limit: 100 } } as const;

/**
 * The state of a charge. A contested one needs attention until it is decided: only its case knows that it is lost. All
 * rows share the lists of undecided cases. A row requests its own case only if a list is too short for all.
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
  // While the lists are read again, a new case may be missing: the colour stays until they are read.
  const isLost = useRef(false);
  if (asked.every(({ data, isLoading }) => data !== null && !isLoading)) {
    const cases = asked.flatMap(({ data }) => data?.data ?? []);
    isLost.current = !cases.some((one) => one.charge_id === charge && isUndecided(one.status));
  }
  return <Status status={status} {...(when && isLost.current ? { tone: "bad" } : {})} />;
}
