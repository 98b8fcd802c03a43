import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newPlace, type Place } from "../support/binary.js";

/** What an editor shows of the package's types. */

const USE = `
import type { Client } from "./types/esm/index.js";
declare const client: Client;
export const charge = await client["charges.create"]({
  body: { amount: 1990, payment_method: "pix", customer: { document: "1" } },
  idempotencyKey: "order-42",
});
export const { pix } = charge;
export const cases = client["med.list"]({ query: { charge_id: "ch_1" } });
export const read = client["med.get"]({ params: { id: "med_1" } });
`;

let place: Place;
let editor: ts.LanguageService;
let file: string;

beforeAll(() => {
  place = newPlace();
  execFileSync(process.execPath, ["scripts/package-types.mjs", join(place.folder, "types")], { stdio: "inherit" });
  file = join(place.folder, "use.mts");
  writeFileSync(file, USE);
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true, types: [] };
  editor = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getCurrentDirectory: () => place.folder,
    getDefaultLibFileName: () => resolve("node_modules/typescript/lib/lib.es2022.d.ts"),
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
});
afterAll(() => place.remove());

function wordsAt(text: string): string {
  const hover = editor.getQuickInfoAtPosition(file, USE.indexOf(text));
  return ts.displayPartsToString(hover?.documentation);
}

it("the types have no fault", () => {
  const faults = [...editor.getSemanticDiagnostics(file), ...editor.getSyntacticDiagnostics(file)];
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))).toEqual([]);
});

it.each([
  ["a field of a body", "amount: 1990", "Centavos"],
  ["a field of an object in a body", "document:", "CPF or CNPJ"],
  ["a parameter of a query", "charge_id:", "Only cases of this charge"],
  ["a parameter of a path", 'id: "med_1"', "Id of the MED case: med_…"],
  ["the idempotency key", "idempotencyKey:", "Unique for each new request"],
  ["an operation", '"charges.create"', "Create a Pix charge. Creates a Pix charge in BRL"],
])("an editor shows the words of %s", (_what, text, words) => {
  expect(wordsAt(text)).toMatch(new RegExp(`^${words}`));
});

it("and offers each field of a body with its words", () => {
  const at = USE.indexOf("payment_method:");
  const details = editor.getCompletionEntryDetails(file, at, "expires_in", {}, undefined, {}, undefined);
  expect(ts.displayPartsToString(details?.documentation)).toMatch(/^Seconds until it expires/);
});
