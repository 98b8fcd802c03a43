import { NOUNS } from "../../../base/kernel/nouns.js";

/** The descriptions of command groups, by the group's word. */
const GROUPS: Readonly<Record<string, string>> = {
  ...NOUNS,
  pix: "The shortcut to Pix charges",
  logs: "Requests to the emulator, as they come in",
  incident: "The history of a charge in a file, which can be replayed",
  fixtures: "Scenarios in files",
  profiles: "Hosts and keys by name",
  keys: "API keys of the account, managed by a user who is logged in",
  endpoints: "where events are sent",
  clock: "the emulated clock",
  collectors: "webhooks as an endpoint would receive them, without a receiver",
  deliveries: "what was sent to endpoints",
  refunds: "money on its way back",
  payouts: "money on its way out",
  ledger: "every movement of money",
  evidence: "files that support an appeal",
  accounts: "other accounts of the emulator",
  faults: "requests that fail on purpose",
  snapshots: "copies of everything, to restore later",
};

export function groupDescription(word: string): string {
  return GROUPS[word] ?? "";
}

/** The summary of a group for a list of commands. For a top-level group it also names the members. */
export function groupSummary(path: readonly string[], members: readonly string[]): string {
  const description = groupDescription(path.at(-1) ?? "");
  return path.length === 1 ? `${description}: ${members.join(", ")}` : description;
}
