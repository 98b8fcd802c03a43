import { parseWritten } from "../../base/kernel/exact-numbers.js";
import { isJsonObject } from "../../base/kernel/json.js";
import { t, type Wording } from "../../base/kernel/wording.js";
import { InputError } from "./input-error.js";
import type { RawRow } from "./orders.js";

/**
 * Finds the objects of a JSON array, or of JSON lines, in a text that comes in pieces. This module finds only the ends of
 * objects; `parseWritten` reads them. A streaming parser would be several times slower, and does not report lines.
 */

/** The longest row. A longer text lacks the mark at the end of a row. */
export const LONGEST_ROW = 1_048_576;

function parseLine(text: string, line: number): RawRow {
  try {
    const values = parseWritten(text);
    if (isJsonObject(values)) return { line, values };
  } catch {
    // The note for the message below.
  }
  throw new InputError(line, t`This is no JSON object: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`);
}

/** The characters that may stand between two objects, by the form of the text. */
class Gap {
  private isArray: boolean | null = null;
  private isEnded = false;
  private rows = 0;
  private hasComma = false;

  /** Takes a character that is not white space. Throws InputError unless it may stand there. */
  take(character: string, line: number): "row" | "gap" {
    const refuse = (wanted: Wording): never => {
      throw new InputError(line, t`This is no JSON: expected ${wanted}, found ${JSON.stringify(character)}.`);
    };
    if (this.isEnded) refuse(t`nothing after the closing ]`);
    if (this.isArray === null) {
      this.isArray = character === "[";
      if (this.isArray) return "gap";
    }
    if (character === "{") {
      if (this.isArray && this.rows > 0 && !this.hasComma) refuse(t`a comma between two objects`);
      this.hasComma = false;
      this.rows++;
      return "row";
    }
    if (!this.isArray) return refuse(t`one object { … } in each line`);
    if (character === "," && this.rows > 0 && !this.hasComma) this.hasComma = true;
    else if (character === "]" && !this.hasComma) this.isEnded = true;
    else refuse(t`an object { … }`);
    return "gap";
  }

  end(line: number): void {
    if (this.isArray && !this.isEnded)
      throw new InputError(line, t`The JSON array is incomplete: its closing ] is missing.`);
  }
}

/** Yields the objects of an array or of JSON lines while the file is read. Throws InputError with the line that is no JSON. */
export async function* jsonRows(pieces: AsyncIterable<string>): AsyncGenerator<RawRow> {
  const gap = new Gap();
  let line = 1;
  let begun = 1;
  let [depth, isText, isEscaped] = [0, false, false];
  let row = "";
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] as string;
      if (character === "\n") line++;
      if (depth === 0) {
        if (/\s/.test(character) || gap.take(character, line) === "gap") continue;
        [depth, from, begun, row] = [1, at, line, ""];
      } else if (isEscaped) isEscaped = false;
      else if (character === '"') isText = !isText;
      else if (isText) isEscaped = character === "\\";
      else if (character === "{" || character === "[") depth++;
      else if (character === "}" || character === "]") {
        depth--;
        if (depth === 0) yield parseLine(row + piece.slice(from, at + 1), begun);
      }
    }
    if (depth > 0) row += piece.slice(from);
    if (row.length > LONGEST_ROW) throw new InputError(begun, t`An object is longer than a megabyte. Does it end?`);
  }
  if (depth > 0) throw new InputError(begun, t`The object that begins here does not end.`);
  gap.end(line);
}
