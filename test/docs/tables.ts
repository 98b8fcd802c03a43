import { canMove, type Machine } from "../../src/base/kernel/machine.js";
import type { EventName } from "../../src/service/features/webhooks/catalogue.js";

/** Markdown tables of what the documents are read from. */

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const code = (text: string) => `\`${text}\``;
export const codes = (list: readonly string[]) => list.map(code).join(", ") || "none";

export type AnyMachine = Machine<string, string, EventName>;

export function moves({ initial, transitions }: AnyMachine): string {
  const start = ["create", "(nothing)", code(initial.state), codes(initial.emits), "creation"];
  const rows = Object.entries(transitions).map(([move, { from, to, emits, source }]) => [
    move,
    codes(from),
    code(to),
    codes(emits),
    source,
  ]);
  return table(["Move", "From", "To", "Events, in order", "When"], [start, ...rows]);
}

/** Which state each move leads to from each state; empty where it is refused. */
export function matrix(machine: AnyMachine): string {
  const names = Object.keys(machine.transitions);
  const rows = machine.states.map((state) => [
    code(state),
    ...names.map((move) => {
      const to = machine.transitions[move]?.to;
      return to !== undefined && canMove(machine, state, move) ? code(to) : "";
    }),
  ]);
  return table(["From", ...names], rows);
}
