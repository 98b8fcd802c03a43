import * as z from "zod";
import { CODES } from "../../checks/reconcile/judge.js";
import { AMOUNT_FORMS, COLUMNS, SHOP_STATUSES } from "../../checks/reconcile/names.js";
import { createSchemaWriter } from "../../service/openapi/schemas.js";
import { inlineReferences, requireExact } from "./arguments.js";
import type { ReconcileQuestion } from "./service-port.js";
import { type AgentTool, answerSchema, type Given } from "./tools.js";
import { WrongArguments } from "./wrong-arguments.js";

/** The command `reconcile` as a tool, with rows in the place of a file. */

const TITLE = "Compare the orders of a shop with the payments of the host";

const DESCRIPTION =
  "Takes the orders as the shop has them, and answers each difference in one sentence, with a code and the command to run next: orders " +
  "that are paid on one side alone, wrong amounts, refunds and disputes that the shop does not know, payments without an order. It reads " +
  "alone (GET /v1/payments), at every host. Without from and to, every paid payment of the host must be in a row.";

const Cell = z.union([z.string(), z.number()]).nullable();

const Row = z.looseObject({
  id: Cell.optional().describe("The charge or payment, in any form of its id; null when it has none"),
  order: Cell.optional().describe("The shop's name of the order, as in metadata.order of the charge"),
  status: z.string().optional().describe("paid, open, refunded, disputed or cancelled, or a usual word for one"),
  amount: Cell.optional().describe("Centavos, such as 1990; null is not compared"),
});

const Question = z.object({
  rows: z.array(Row).describe("One object for each order"),
  amounts: z.enum(AMOUNT_FORMS).optional().describe("decimal for amounts such as 19.90 or 19,90"),
  map: z.partialRecord(z.enum(COLUMNS), z.string()).optional().describe('Your names of members: {"id": "charge_id"}'),
  status: z
    .partialRecord(z.enum(SHOP_STATUSES), z.array(z.string()))
    .optional()
    .describe('Your words for states, beside the usual ones: {"paid": ["PAGO"]}'),
  from: z.string().optional().describe("Every payment created from this time on must be in a row: ISO 8601"),
  to: z.string().optional().describe("Every payment created up to this time must be in a row: ISO 8601"),
  order_field: z.string().optional().describe("The field of a payment with the name of the order: metadata.cart"),
});

const Side = z.object({ status: z.string(), amount: z.int().nullable() }).nullable();

const Answer = z.object({
  checked: z.int(),
  matched: z.int(),
  differences: z.array(
    z.object({
      code: z.enum(CODES),
      order: z.string().nullable(),
      id: z.string().nullable(),
      shop: Side,
      service: Side,
      text: z.string(),
      command: z.string(),
    }),
  ),
  counts: z.record(z.enum(CODES), z.int()),
});

const writer = createSchemaWriter();
const { properties = {}, required = [] } = inlineReferences(writer.write(Question, "input"), writer.components);

/** The rule that a value breaks, in the words of the service. */
function ruleOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  return issue.code === "invalid_union" ? "must be a text, a number or null" : issue.message;
}

/** Throws WrongArguments for arguments of another kind. */
function questionIn(given: Given): ReconcileQuestion {
  requireExact(given);
  const { data, error } = Question.safeParse(given);
  if (data !== undefined) return data;
  const [first] = error.issues;
  const param = first?.path.join(".") ?? "";
  const rule = first === undefined ? error.message : ruleOf(first);
  throw new WrongArguments(param, `${param} ${rule}.`, "Correct it and call reconcile again. Nothing was read.");
}

export const reconcileTool: AgentTool = {
  id: "reconcile",
  name: "reconcile",
  title: TITLE,
  description: `${TITLE}.\n${DESCRIPTION}`,
  arguments: Object.entries(properties).map(([name, schema]) => {
    return { name, place: "body", field: name, required: required.includes(name), schema };
  }),
  outputSchema: answerSchema(inlineReferences(writer.write(Answer, "output"), writer.components)),
  traits: () => ({ isRead: true, isDestructive: false, isRepeatable: true }),
  changes: () => false,
  run: async (port, given, signal) => ({ answer: await port.reconcile(questionIn(given), signal) }),
};
