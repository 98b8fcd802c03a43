import { endToEndMinute, isEndToEndId } from "../../../../base/pix/ids.js";

/** An end-to-end id of a Pix, or the id of its return, decoded. Pure. */

export interface EndToEndParts {
  /** `E` for a payment, `D` for the return of one. */
  readonly kind: "E" | "D";
  /** The bank that created the id. */
  readonly ispb: string;
  /** The minute in UTC. */
  readonly at: string;
  /** The part that distinguishes the bank's ids of that minute. */
  readonly sequence: string;
}

/** The parts of an id; null for a text of another form. */
export function endToEndParts(id: string): EndToEndParts | null {
  const kind = id.startsWith("D") ? "D" : "E";
  if (!isEndToEndId(id, kind)) return null;
  return { kind, ispb: id.slice(1, 9), at: endToEndMinute(id), sequence: id.slice(21) };
}
