import { NOUNS } from "../../../base/kernel/nouns.js";

/** A part of the list of commands: its title, and the first words of its commands in the order of need. */
interface HelpSection {
  readonly title: string;
  readonly nouns: readonly string[];
}

/** The commands of every day fit on one screen; those that most people seldom or never need come below. Completion has the same order. */
export const HELP_SECTIONS: readonly HelpSection[] = [
  {
    title: "Everyday:",
    nouns: [
      "demo",
      "serve",
      "charges",
      "payments",
      "sandbox",
      "webhooks",
      "why",
      "survive",
      "reconcile",
      "exec",
      "console",
      "docs",
    ],
  },
  {
    title: "More:",
    nouns: [
      ...["env", "stop", "listen", "trigger", "logs", "fixtures", "wallets", "med", "doctor", "mcp"],
      ...["rush", "incident", "conform", "profiles", "keys", "login", "logout", "whoami"],
      ...["api", "openapi", "pix", "completion"],
    ],
  },
];

/** The members of large groups that the list of commands names. `--help` of a group shows all. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  payments: ["create", "get", "list", "find", "refund"],
  webhooks: ["endpoints", "deliveries", "events", "test"],
  sandbox: ["pay", "fail", "clock", "refunds", "faults", "timeline", "reset"],
};

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

/** The summary of a group for a list of commands. For a top-level group it also names the members, of a large one the usual ones. */
export function groupSummary(path: readonly string[], members: readonly string[]): string {
  const word = path.at(-1) ?? "";
  if (path.length > 1) return groupDescription(word);
  const named = NAMED[word];
  return `${groupDescription(word)}: ${named === undefined ? members.join(", ") : `${named.join(", ")} and more`}`;
}
