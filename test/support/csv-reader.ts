/** Reads CSV by RFC 4180, as a spreadsheet does: fields in quotes may hold separators, quotes and line breaks. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') field += text[++at];
      else isQuoted = false;
    } else if (character === '"' && field === "") isQuoted = true;
    else if (character === ",") {
      row.push(field);
      field = "";
    } else if (character === "\r" && text[at + 1] === "\n") {
      rows.push([...row, field]);
      [row, field] = [[], ""];
      at++;
    } else if (character === "\r" || character === "\n" || character === '"') {
      throw new Error(`a bare ${JSON.stringify(character)} at ${at}`);
    } else field += character;
  }
  if (row.length > 0 || field !== "" || isQuoted) throw new Error("the last line does not end");
  return rows;
}
