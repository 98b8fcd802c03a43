import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { TimelineObject, TimelinePart } from "../timeline-part.js";
import type { MedCaseRow } from "./store.js";

function objectOf({ id, transaction_id, amount, currency }: MedCaseRow): TimelineObject {
  return {
    ...({ noun: "med_case", id, publicIds: [ID_PREFIX.medCase + id], payment: transaction_id } as const),
    params: (move) => (move === "create" ? { amount, currency } : {}),
  };
}

export const medTimeline: TimelinePart<"med_case"> = {
  kind: "med_case",
  objects: {
    noun: "med_case",
    ids: ["medCase"],
    elsewhere: "medCase",
    message: "case",
    find({ med }, bookId, raw) {
      const row = med.inBook(raw, bookId);
      return row === null ? null : objectOf(row);
    },
    ofPayment: ({ med }, payment) => med.ofTransaction(payment).map(objectOf),
  },
};
