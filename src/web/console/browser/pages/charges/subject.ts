import type { OperationAnswer } from "../../../../../api/client/types.js";
import { chargeIdOf } from "../../../../../base/kernel/ids.js";
import type { TimelineAnswer } from "../../timeline/model.js";

/** A charge or payment as its page knows it. */
export interface Subject {
  /** The id in the address of the page: `ch_…`. */
  readonly id: string;
  /** The id without a prefix, for the routes of payments. */
  readonly rawId: string;
  readonly payment: OperationAnswer<"payments.get">;
  /** Null for a payment without Pix. */
  readonly charge: OperationAnswer<"charges.get"> | null;
  readonly refunds: OperationAnswer<"payments.refunds">;
  readonly timeline: TimelineAnswer;
  /** True if its money is held because the bank reported no payer. A card payment in progress is in PROCESSING too. */
  readonly isHeld: boolean;
}

/** The id of a payment on its page: `ch_…`, whatever its methods. */
export const pageId = ({ id }: Pick<Subject["payment"], "id">): string => chargeIdOf(id);

/** True if the last move of the transaction held its money. */
export function isHeld({ items }: Pick<TimelineAnswer, "items">): boolean {
  const last = items.findLast(({ kind, data }) => kind === "transition" && typeof data.to === "string");
  return last?.data.move === "hold";
}
