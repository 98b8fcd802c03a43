import { NOUNS } from "../../kernel/nouns.js";

/** What is said of words that are no command but hold some. */
const GROUPS: Readonly<Record<string, string>> = {
  ...NOUNS,
  logs: "Requests to the emulator, as they come in",
  fixtures: "Scripts of requests",
  profiles: "Hosts and keys by name",
  keys: "API keys of the account, managed by who is logged in",
  endpoints: "where events are sent",
  clock: "the emulated clock",
  deliveries: "what was sent to endpoints",
  refunds: "money on its way back",
  payouts: "money on its way out",
  evidence: "files that support an appeal",
  accounts: "other accounts of the emulator",
  faults: "what goes wrong with requests on purpose",
  snapshots: "copies of everything, to come back to",
};

export function groupDescription(word: string): string {
  return GROUPS[word] ?? "";
}

/** One line for a list of commands: of a group that stands first, with what it holds. */
export function groupSummary(path: readonly string[], members: readonly string[]): string {
  const description = groupDescription(path.at(-1) ?? "");
  return path.length === 1 ? `${description}: ${members.join(", ")}` : description;
}
