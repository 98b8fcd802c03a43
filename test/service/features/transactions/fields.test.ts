import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { openDatabase } from "../../../../src/base/db/open.js";
import { LANGUAGES } from "../../../../src/base/kernel/language.js";
import { SINGLE_DETAILS } from "../../../../src/service/features/transactions/details.js";
import { createChargeOperation } from "../../../../src/service/features/transactions/operations/charges.js";
import { TRANSACTION } from "../../../../src/service/features/transactions/store.js";
import { prepareCall } from "../../../support/calls.js";
import type { Loose } from "../../../support/emulator.js";
import { sharedEmulator } from "../../../support/shared.js";

/** What does not follow from the declaration of a field: each sentence names the file that lacks it (docs/ARCHITECTURE.md#to-add). */

/** Fields of the request that no answer holds as they were sent. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  expires_in: "the charge answers the instant in its place: pix.expires_at",
};

/** Columns that no request and no change of state writes. */
const NOT_WRITTEN: Readonly<Record<string, string>> = { seq: "the database numbers the rows" };

const emulator = sharedEmulator();

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The names of all fields, such as `customer.name`. An object that the caller fills is one field. */
function fieldsOf(schema: z.ZodType, io: "input" | "output"): string[] {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
  const membersOf = ({ $ref, properties }: Schema) =>
    $defs[$ref?.replace("#/$defs/", "") ?? ""]?.properties ?? properties;
  const within = (outer: Schema, prefix: string): string[] =>
    Object.entries(membersOf(outer) ?? {}).flatMap(([name, inner]) =>
      membersOf(inner) === undefined ? [prefix + name] : within(inner, `${prefix}${name}.`),
    );
  return within(whole, "");
}

/** Names and values of all texts, numbers and truths in an answer. */
function leavesOf(value: unknown, name = ""): (readonly [name: string, value: unknown])[] {
  if (typeof value !== "object" || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, name === "" ? key : `${name}.${key}`));
}

/** `customer.name` and `customerName` are one name. */
const plain = (name: string) => name.replace(/[._]/g, "").toLowerCase();

function holds(answer: Loose, field: string, sent: unknown): boolean {
  const shown = leavesOf(answer).map(([name, value]) => [plain(name), value] as const);
  return leavesOf(sent, field).every(([name, wanted]) =>
    shown.some(([place, value]) => place.endsWith(plain(name)) && value === wanted),
  );
}

/** Returns the missing part of a field that a charge was created with; null when there is none. */
function missing(field: string, body: unknown, answers: readonly Loose[]): string | null {
  const sent = field.split(".").reduce<unknown>((at, name) => (at as Loose | undefined)?.[name], body);
  if (sent === undefined) return `${field}: give it a value in DETAILS of test/support/calls.ts`;
  if (Object.hasOwn(NOT_SHOWN, field) || answers.some((answer) => holds(answer, field, sent))) return null;
  return (
    `${field}: no answer holds what was sent. A text is declared in details.ts of src/service/features/transactions. ` +
    "Anything else is passed on in operations/charges.ts there and stored in create.ts and store.ts. Answer it in toCharge of charge-resource.ts or " +
    "toCreatedPayment of payment-resource.ts; or say in NOT_SHOWN of this test why it is not shown"
  );
}

const fields = fieldsOf(createChargeOperation.contract.body ?? z.object({}), "input");

it("every field that a charge is created with is answered, or has a reason why not", async () => {
  const call = await prepareCall("charges.create", emulator);
  const created = await emulator.call("POST", "/v1/charges", call);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id } = created.body;
  const charge = await emulator.call("GET", `/v1/charges/${id}`);
  const payment = await emulator.call("GET", `/v1/payments/${id.replace("ch_", "")}`);
  expect([charge.status, payment.status]).toEqual([200, 200]);
  const faults = fields.map((field) => missing(field, call.body, [charge.body, payment.body]));
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

it("no reason is left of a field that is gone", () => {
  expect(Object.keys(NOT_SHOWN).filter((field) => !fields.includes(field))).toEqual([]);
});

function columnsInDatabase(): string[] {
  const { db, close } = openDatabase(":memory:");
  const columns = db.prepare("PRAGMA table_info(transactions)").all() as Loose[];
  close();
  return columns.map(({ name }) => name);
}

it("every column of a transaction is written at its creation, or has a reason why not", () => {
  const written: readonly string[] = [...Object.keys(TRANSACTION), ...Object.keys(NOT_WRITTEN)];
  const faults = columnsInDatabase().flatMap((name) =>
    written.includes(name)
      ? []
      : [
          `${name}: declare it in details.ts of src/service/features/transactions, or, if no request has it as a text, in TRANSACTION or STATE of store.ts there`,
        ],
  );
  expect(faults).toEqual([]);
});

it("every declared column of a transaction is in the database", () => {
  const present = columnsInDatabase();
  const faults = Object.keys(TRANSACTION).flatMap((name) =>
    present.includes(name)
      ? []
      : [
          `${name}: add "ALTER TABLE transactions ADD COLUMN ${name} TEXT" to MIGRATIONS of src/base/db/migrations/index.ts`,
        ],
  );
  expect(faults).toEqual([]);
});

it.each(LANGUAGES)("every text that the console shows on its own has a name in %s", (language) => {
  const file = `src/web/console/browser/texts/${language}.json`;
  const { terms } = JSON.parse(readFileSync(file, "utf8"));
  const faults = SINGLE_DETAILS.flatMap((column) =>
    Object.hasOwn(terms, column) ? [] : [`${column}: add its name to "terms" of ${file}`],
  );
  expect(faults).toEqual([]);
});
