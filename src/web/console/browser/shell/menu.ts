import type { ReadonlySignal } from "@preact/signals";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import type { IconName } from "../parts/icon-paths.js";
import { texts } from "../state/language.js";

const { charge, transaction, refund, payout, medCase, delivery, event, endpoint, email, account } = ID_PREFIX;

/**
 * The pages in their order and groups: their names, which are their addresses too, their icons, and letters after `g`. A
 * phone shows those with a place at the foot at once. Those with `ids` have a page for each of their objects: `ids` lists
 * the prefixes. The pages of the account are behind its own menu in the head.
 */
const PAGES = [
  { name: "overview", letter: "o", icon: "home", group: "top", atFoot: true },
  { name: "connect", letter: "i", icon: "terminal-2", group: "top" },
  { name: "charges", letter: "c", icon: "receipt-2", group: "money", atFoot: true, ids: [charge, transaction] },
  { name: "refunds", letter: "b", icon: "arrow-back-up", group: "money", ids: [refund] },
  { name: "payouts", letter: "y", icon: "cash", group: "money", ids: [payout] },
  { name: "med", letter: "m", icon: "scale", group: "money", ids: [medCase, email] },
  { name: "wallets", letter: "w", icon: "wallet", group: "money", ids: [] },
  { name: "webhooks", letter: "d", icon: "send", group: "webhooks", atFoot: true, ids: [delivery, event] },
  { name: "endpoints", letter: "p", icon: "plug-connected", group: "webhooks", ids: [endpoint] },
  { name: "requests", letter: "r", icon: "activity", group: "api", ids: [] },
  { name: "clock", letter: "k", icon: "clock", group: "simulate", atFoot: true },
  { name: "faults", letter: "f", icon: "alert-triangle", group: "simulate" },
  { name: "scenarios", letter: "n", icon: "flask", group: "simulate" },
  { name: "accounts", letter: "a", icon: "users", group: "account", ids: [account] },
  { name: "settings", letter: "t", icon: "settings", group: "account" },
] as const satisfies readonly {
  readonly name: string;
  readonly letter: string;
  readonly icon: IconName;
  readonly group: MenuGroup | "account";
  readonly atFoot?: true;
  readonly ids?: readonly string[];
}[];

export const MENU = PAGES.map((page) => ({
  ...page,
  path: page.name === "overview" ? "/console/" : `/console/${page.name}`,
}));

/** The first group has no heading. */
export const MENU_GROUPS = ["top", "money", "webhooks", "api", "simulate"] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

export type MenuName = (typeof MENU)[number]["name"];

/** The name of each page. A page without one is a type error here. */
export const menuWords: ReadonlySignal<Readonly<Record<MenuName, string>>> = texts("menu");

export const groupWords = texts("menu_groups");

/** The address of an object's page inside the console; null for an id of another kind. */
export function objectPage(id: string): string | null {
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? "";
  const page = MENU.find((one) => "ids" in one && one.ids.some((known) => known === prefix));
  return page === undefined ? null : `${page.path}/${encodeURIComponent(id)}`;
}
