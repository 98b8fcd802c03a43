import { expect, test } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-codes.js";
import { PUBLIC_STATUS, transactionMachine } from "../../src/features/transactions/machine.js";
import { EVENT_CATALOGUE } from "../../src/features/webhooks/catalogue.js";
import { deliveryMachine } from "../../src/features/webhooks/machine.js";
import { ERROR_CATALOGUE } from "../../src/kernel/errors.js";
import type { Machine } from "../../src/kernel/machine.js";

/** Documents that are read off the tables they document. A stale one fails here; `npm run docs` writes it anew. */

const NOTE = "<!-- Written by `npm run docs` from the source; do not edit. -->";

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function machineSection<S extends string, M extends string, E extends string>(machine: Machine<S, M, E>): string {
  const { initial, transitions } = machine;
  const rows = Object.entries<Machine<S, M, E>["transitions"][M]>(transitions).map(
    ([move, { from, to, emits, source }]) => [move, from.join(", "), to, emits.join(", ") || "none", source],
  );
  const start = ["create", "(none)", initial.state, initial.emits.join(", ") || "none", "creation"];
  return `## ${machine.name}\n\n${table(["Move", "From", "To", "Events, in order", "Source"], [start, ...rows])}\n`;
}

test("docs/TRANSITIONS.md lists every move of every machine", async () => {
  const projection = table(
    ["Transaction status", "Charge status"],
    Object.entries(PUBLIC_STATUS).map(([status, charge]) => [status, charge]),
  );
  const text = [
    "# State machines",
    NOTE,
    machineSection(transactionMachine),
    `## Public charge status\n\n${projection}\n`,
    machineSection(deliveryMachine),
  ].join("\n\n");
  await expect(text).toMatchFileSnapshot("../../docs/TRANSITIONS.md");
});

test("docs/EVENTS.md lists every event with its envelope", async () => {
  const rows = Object.entries(EVENT_CATALOGUE).map(([name, { family, description }]) => [name, family, description]);
  const text = `# Events\n\n${NOTE}\n\n${table(["Event", "Envelope", "When"], rows)}\n`;
  await expect(text).toMatchFileSnapshot("../../docs/EVENTS.md");
});

test("docs/ERRORS.md lists every code with its status, type and exit code", async () => {
  const rows = Object.entries(ERROR_CATALOGUE).map(([code, { status, type, message }]) => [
    code,
    String(status),
    type,
    String(exitCodeOf(status)),
    message,
  ]);
  const text = `# Errors\n\n${NOTE}\n\n${table(["Code", "HTTP", "Type", "CLI exit", "Message"], rows)}\n`;
  await expect(text).toMatchFileSnapshot("../../docs/ERRORS.md");
});
