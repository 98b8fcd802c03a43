import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileRows } from "../../../src/checks/reconcile/file-rows.js";
import { InputError } from "../../../src/checks/reconcile/input-error.js";
import { type Order, orderReader, type ReadingOptions } from "../../../src/checks/reconcile/orders.js";

/** Files of orders as Excel, Google Sheets and LibreOffice write them, by their bytes. */

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readIn(bytes: Buffer, size: number, options: ReadingOptions = {}): Promise<Order[]> {
  const reader = orderReader(options);
  const orders: Order[] = [];
  let last = 0;
  for await (const row of fileRows(inPieces(bytes, size), reader)) {
    last = row.line;
    const order = reader.order(row);
    if (order !== null) orders.push(order);
  }
  reader.end(last);
  return orders;
}

/** Behind a message that a spreadsheet can mend. */
const SAVE = " (save it otherwise)";

/** Reads a file whole and in small pieces, which must give the same: its orders, or its line and what is wrong there. */
async function read(file: Buffer | string, options: ReadingOptions = {}): Promise<unknown> {
  const bytes = Buffer.from(file);
  // A large file takes long in small pieces, and shows nothing more.
  const sizes = bytes.length > 50_000 ? [65_536] : [65_536, 7, 1];
  const outcomes = sizes.map((size) =>
    readIn(bytes, size, options).catch((error: unknown) => {
      if (error instanceof InputError) return `${error.line}: ${error.message}${error.option === "saving" ? SAVE : ""}`;
      throw error;
    }),
  );
  const [whole, ...others] = await Promise.all(outcomes);
  for (const other of others) expect(other).toEqual(whole);
  return whole;
}

/** The orders of a file as `order status amount`. */
async function told(file: Buffer | string, options: ReadingOptions = {}): Promise<unknown> {
  const orders = await read(file, options);
  return Array.isArray(orders) ? orders.map(({ order, status, amount }) => `${order} ${status} ${amount}`) : orders;
}

const PLAIN = "id;order;status;amount\r\n;4711;pago;1990\r\n;São;open;2500\r\n";
const BOTH = ["4711 paid 1990", "São open 2500"];
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("a file is read", () => {
  it.each<[string, Buffer | string]>([
    ["in UTF-8", PLAIN],
    ["with a byte order mark", `\ufeff${PLAIN}`],
    ["with two byte order marks", `\ufeff\ufeff${PLAIN}`],
    ["in Windows-1252", Buffer.from(PLAIN, "latin1")],
    ["in UTF-16 with its mark", Buffer.from(`\ufeff${PLAIN}`, "utf16le")],
    ["in UTF-16 BE with its mark", utf16be(`\ufeff${PLAIN}`)],
    ["with commas", PLAIN.replaceAll(";", ",")],
    ["with tabs", PLAIN.replaceAll(";", "\t")],
    ["in UTF-16 with tabs, as Unicode text of Excel", Buffer.from(`\ufeff${PLAIN.replaceAll(";", "\t")}`, "utf16le")],
    ["with the line sep=;", `sep=;\r\n${PLAIN}`],
    ["with a mark and the line sep=;", `\ufeffsep=;\n${PLAIN}`],
    ["with the line sep=, in quotes", `"sep=,"\r\n${PLAIN.replaceAll(";", ",")}`],
    ["with the line sep= and a tab", `sep=\t\r\n${PLAIN.replaceAll(";", "\t")}`],
    ["with the line sep=|", `SEP=|\r\n${PLAIN.replaceAll(";", "|")}`],
    ["with LF alone", PLAIN.replaceAll("\r\n", "\n")],
    ["with CR alone", PLAIN.replaceAll("\r\n", "\r")],
    ["with CR LF in the header alone", PLAIN.replace("\r\n", "#").replaceAll("\r\n", "\n").replace("#", "\r\n")],
    ["without an end of the last line", PLAIN.trimEnd()],
    ["with a title above", `Pedidos de novembro\r\n${PLAIN}`],
    [
      "with titles and blank lines above",
      `\r\nPedidos, em ordem;;;\r\n;;;\r\n\r\n"Loja ""Sol""; matriz";;;\r\n${PLAIN}`,
    ],
    ["with a title that has a single quote", `Canos de 5" e 7\r\n${PLAIN}`],
    ["with blank lines between", PLAIN.replaceAll("\r\n", "\r\n\r\n;;;\r\n")],
    ["with empty columns behind the others", PLAIN.replaceAll("\r\n", ";;\r\n")],
    ["with empty columns in the header alone", PLAIN.replace("\r\n", ";;\r\n")],
    ["with empty columns in the rows alone", PLAIN.replaceAll(/(\d)\r\n/g, "$1;;\r\n")],
    ["with quotes around every cell", PLAIN.replaceAll(/[^;\r\n]+/g, '"$&"')],
    ["with white space around names and cells", PLAIN.replaceAll(/[^;\r\n]+/g, " $&\u00a0")],
    [
      "with separators and a line break in a quoted name",
      PLAIN.replace("id;", '"cidade, estado,\r\npais, cep, rua";id;').replaceAll("\r\n;", '\r\n"a, b\r\nc";;'),
    ],
    [
      "with a quoted name that has many commas",
      PLAIN.replace("id;", '"id";"a, b, c, d, e";').replaceAll("\r\n;", "\r\n;;"),
    ],
    ["with formulas that are texts", PLAIN.replace("4711", '="4711"').replace("São", '"=""São"""')],
    ["with array formulas that are texts", PLAIN.replace("4711", '={"4711"}').replace("São", '"={""São""}"')],
    ["with formulas in the header", PLAIN.replace("order;status", '="order";="status"')],
    ["with the mark of a text", PLAIN.replace("4711", "'4711").replace("São", "'São'")],
    ["with unseen characters", PLAIN.replace("4711", "\u200b4711\u2060").replace("São", "\u202aSão\u202c")],
  ])("%s", async (_how, file) => {
    expect(await told(file)).toEqual(BOTH);
  });

  it("with the characters that only Windows-1252 has", async () => {
    const bytes = Buffer.from("order;status;amount\n\x80 \x93x\x94 \x96 \xe7;paid;1\n", "latin1");
    expect(await told(bytes)).toEqual(["€ “x” – ç paid 1"]);
  });

  it("with the id of a charge as people paste it", async () => {
    const id = "ch_01a216ee-5a37-700b-9443-85d16b761051";
    const given = [
      `\u200b${id}`,
      `\`${id}\``,
      `"""${id}"""`,
      id.replaceAll("-", "\u2011"),
      `'${id}`,
      `="${id}"`,
      `${id}.`,
    ];
    for (const one of given) {
      expect(await read(`id,status,amount\n${one},paid,1\n`)).toEqual([
        { line: 2, id, order: null, status: "paid", amount: 1 },
      ]);
    }
  });

  it("with amounts as people write them in Brazil", async () => {
    const rows = ["R$ 1.234,56", "1.234,56", '"1,234.56"', "R$\u00a019,90", "0,5", "1234"];
    const file = `order;status;amount\n${rows.map((one, at) => `${at};paid;${one}\n`).join("")}`;
    const amounts = ["1234.56", "1234.56", "1234.56", "19.90", "0.5", "1234"];
    expect(await told(file, { amounts: "decimal" })).toEqual(amounts.map((one, at) => `${at} paid ${one}`));
  });

  it("with your names of the columns, below a title that has other ones", async () => {
    const file = "id;order;status\npedido;situação;valor\n4711;pago;1990\n";
    expect(await told(file, { map: { order: "pedido", status: "situação", amount: "valor" } })).toEqual([
      "4711 paid 1990",
    ]);
  });

  it("with every digit of an order, whatever the form of the file", async () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          digits.map((text) => text.replace(/^0+(?=\d)/, "")),
          { minLength: 1, maxLength: 5 },
        ),
        async (orders) => {
          const expected = orders.map((order) => `${order} paid 1`);
          const row = (order: string) => `{"order":${order},"status":"paid","amount":1}`;
          const csv = (write: (order: string) => string) =>
            `order;status;amount\r\n${orders.map((order) => `${write(order)};paid;1\r\n`).join("")}`;
          const files = [
            orders.map((order) => `${row(order)}\n`).join(""),
            `[${orders.map(row).join(",")}]`,
            csv((order) => order),
            csv((order) => `="${order}"`),
            Buffer.from(`\ufeff${csv((order) => `'${order}`)}`, "utf16le"),
          ];
          for (const file of files) expect(await told(file)).toEqual(expected);
        },
      ),
      { seed: 1, numRuns: 20 },
    );
  });
});

const HEADER = "order;status;amount\n";
const many = (count: number) => Array.from({ length: count }, (_, at) => `${at};paid;1\n`).join("");

describe("a file is refused with the line that is wrong", () => {
  it.each<[string, Buffer | string, string]>([
    [
      "a workbook",
      Buffer.from("PK\x03\x04\x14\0\x06\0..[Content_Types].xml", "latin1"),
      "1: The file is a workbook of Excel (.xlsx)",
    ],
    [
      "a spreadsheet of LibreOffice",
      "PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
      "1: The file is a spreadsheet of LibreOffice (.ods)",
    ],
    ["another archive", "PK\x03\x04....orders.csv", "1: The file is a ZIP archive"],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "1: The file is an old workbook of Excel (.xls)"],
    ["a PDF", "%PDF-1.7\n", "1: The file is a PDF"],
    ["a document", "{\\rtf1\\ansi", "1: The file is a document of a word processor (.rtf)"],
    ["a compressed file", Buffer.from("1f8b0800", "hex"), "1: The file is compressed with gzip"],
    ["UTF-32", Buffer.from("fffe000069000000", "hex"), "1: The file is in UTF-32"],
    ["HTML", "\n <html><table>", "2: This is a page of HTML,"],
    ["HTML in UTF-16", Buffer.from("\ufeff<table>", "utf16le"), "1: This is a page of HTML,"],
    [
      "UTF-16 without its mark",
      Buffer.from(HEADER, "utf16le"),
      "1: This is no text: it may be UTF-16 without its byte order mark.",
    ],
    [
      "half of UTF-16",
      Buffer.concat([Buffer.from(`\ufeff${HEADER}`, "utf16le"), Buffer.from("00d80000", "hex")]),
      "1: The file begins in UTF-16",
    ],
    ["a NUL far below", `${HEADER}${many(500)}x\0;paid;1\n`, "502: This is no text"],
    [
      "bytes of no encoding",
      Buffer.from(`${HEADER}${many(500)}\x81;paid;1\n`, "latin1"),
      "502: This line is neither in UTF-8 nor in Windows-1252 (ANSI).",
    ],
    [
      "bytes of no encoding behind CR",
      Buffer.from(`${HEADER}${many(500)}\x81;paid;1\n`.replaceAll("\n", "\r"), "latin1"),
      "502: This line is neither",
    ],
    [
      "Windows-1252 behind UTF-8",
      Buffer.concat([Buffer.from(`${HEADER}São;paid;1\n${many(500)}`), Buffer.from("não;paid;1\n", "latin1")]),
      "503: This line is in Windows-1252 (ANSI), but the file begins in UTF-8.",
    ],
    [
      "UTF-8 behind Windows-1252",
      Buffer.concat([Buffer.from(`${HEADER}S\xe3o;paid;1\n${many(500)}`, "latin1"), Buffer.from("não;paid;1\n")]),
      "503: This line is in UTF-8, but the file begins in Windows-1252 (ANSI).",
    ],
    [
      "Windows-1252 behind a mark of UTF-8",
      Buffer.concat([Buffer.from("\ufeff"), Buffer.from(`${HEADER}n\xe3o;paid;1\n`, "latin1")]),
      "2: This line is in Windows-1252",
    ],
  ])("%s", async (_what, file, message) => {
    const outcome = await read(file);
    expect(outcome).toEqual(expect.stringContaining(message));
    expect(outcome).toEqual(expect.stringContaining(SAVE));
  });

  it.each<[string, string, string]>([
    ["nothing", " \n\ufeff\n", "1: The file is empty."],
    [
      "a quote that is never closed",
      `${HEADER}"a";paid;1\nb;"paid;1\n${many(500)}`,
      "3: A quote is opened and never closed.",
    ],
    [
      "a quote that the next one closes",
      `${HEADER}${many(2)}"a;paid;1\nb;paid;1\nc;"open";2\n`,
      "4: A quote is opened here and never closed: the next one, in line 6, has text after it.",
    ],
    [
      "a quote behind cells of several lines",
      `${HEADER}"a\n\nb";paid;1\n"c\nd;"paid";1\n`,
      "5: A quote is opened here",
    ],
    [
      "a row of a megabyte",
      `${HEADER}${many(2)}a;"${"x\n".repeat(600_000)}`,
      "4: A row is longer than a megabyte. Is a quote never closed?",
    ],
    ["text behind a quote", `${HEADER}"a"b;paid;1\n`, "2: There is text after a closing quote."],
    ["a quote in the middle", `${HEADER}\na;paid;1 "x"\n`, "3: There is a quote within a cell without quotes."],
    [
      "a row that is too long",
      "order,status,amount\n\n1,paid,19,90\n",
      "3: The row has another number of columns than the header: 4, not 3. Is an amount such as 19,90 not in quotes?",
    ],
    [
      "a row that is too short",
      `${HEADER}a;paid\n`,
      "2: The row has another number of columns than the header: 2, not 3.",
    ],
    [
      "a row below a title and sep=",
      `sep=;\n\nTitle\n${HEADER}a;paid;x\n`,
      "5: The amount x is no whole number of centavos.",
    ],
    [
      "names below a title",
      `Title\n\npedido;status;valor\n`,
      "3: There is neither a column id nor a column order, only pedido, status, valor.",
    ],
    ["names of no column", "a\nb\n", "1: There is neither a column id nor a column order, only a."],
    [
      "an order that a spreadsheet rounded",
      `${HEADER}1,00E+05;paid;1\n`,
      "2: The order 1,00E+05 was rounded by a spreadsheet: its digits are lost.",
    ],
    ["another one", `${HEADER}9.00719925474099E+15;paid;1\n`, "2: The order 9.00719925474099E+15 was rounded"],
    [
      "an amount that is no integer as written",
      '{"order":1,"status":"paid","amount":1}\n{"order":1,"status":"paid","amount":1989.99999999999999999999}',
      "2: The amount 1989.99999999999999999999 is no whole number of centavos.",
    ],
    [
      "an amount beyond all sums",
      '[{"order":1,"status":"paid","amount":9007199254740993}]',
      "1: The amount 9007199254740993 is no whole number of centavos.",
    ],
    [
      "an endless amount",
      '[{"order":1,"status":"paid","amount":1e400}]',
      "1: The amount 1e400 is no whole number of centavos.",
    ],
  ])("%s", async (_what, file, message) => {
    expect(await read(file)).toEqual(expect.stringContaining(message));
  });

  it("names all words that are not known at once, each with its first line", async () => {
    const words = ["faturado", "pago", "NOVO", "faturado", "novo", "enviado"];
    const file = `${HEADER}${words.map((word, at) => `${at};${word};1\n`).join("")}`;
    expect(await read(file)).toBe(
      "2: The status faturado is not known. Nor are these: NOVO (line 4), enviado (line 7).",
    );
  });

  it("names some words of very many", async () => {
    const file = `${HEADER}${Array.from({ length: 2_000 }, (_, at) => `${at};word${at};1\n`).join("")}`;
    expect(await read(file)).toMatch(
      /^2: The status word0 is not known\. Nor are these: word1 \(line 3\), .* and 980 others\.$/,
    );
  });
});

it("a header with twenty thousand names takes no longer than it must", async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
  const file = `${[...names, "order", "status", "amount"].join(",")}\n${",".repeat(20_000)}1,paid,1\n`;
  expect(await readIn(Buffer.from(file), 65_536)).toMatchObject([{ order: "1", amount: 1 }]);
  expect(await readIn(Buffer.from(`${names.join(",")}\n`), 65_536).catch((error) => error.message)).toMatch(
    /only n0, n1, .*, n19 and 19980 others\.$/,
  );
});
