import { trimPasted } from "../../base/kernel/pasted-text.js";

/** A formula of Excel whose value is a text: `="4711"`, or `={"4711"}`. */
const TEXT_FORMULA = /^=\{?"((?:[^"]|"")*)"\}?$/;
/** The mark with which a spreadsheet keeps digits as a text. Some programs write one behind the text, too. */
const TEXT_MARK = /^'(.*?)'?$/s;

/** Returns the meant text of a cell: without marks of the spreadsheet, white space and invisible characters at its ends. */
export function cellText(cell: string): string {
  const bare = trimPasted(cell);
  const text = TEXT_FORMULA.exec(bare)?.[1]?.replaceAll('""', '"') ?? bare;
  return trimPasted(TEXT_MARK.exec(text)?.[1] ?? text);
}

/** A number that a spreadsheet has rounded: `1,00E+05`. Its other digits are lost. */
export const ROUNDED = /^\d(?:[.,]\d+)?E\+\d{2,3}$/;
