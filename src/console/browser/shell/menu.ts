import type { IconName } from "../parts/icon-paths.js";
import { texts } from "../state/language.js";

/**
 * The pages of the menu, in its order and groups: their addresses, icons, letters after `g`, and names. Those with a place at
 * the foot are the ones that a phone shows at once.
 */
export const MENU = [
  { name: "overview", path: "/console/", letter: "o", icon: "home", group: "top", atFoot: true },
  { name: "charges", path: "/console/charges", letter: "c", icon: "receipt-2", group: "money", atFoot: true },
  { name: "refunds", path: "/console/refunds", letter: "b", icon: "arrow-back-up", group: "money" },
  { name: "payouts", path: "/console/payouts", letter: "y", icon: "cash", group: "money" },
  { name: "med", path: "/console/med", letter: "m", icon: "scale", group: "money" },
  { name: "wallets", path: "/console/wallets", letter: "w", icon: "wallet", group: "money" },
  { name: "deliveries", path: "/console/deliveries", letter: "d", icon: "send", group: "webhooks", atFoot: true },
  { name: "events", path: "/console/events", letter: "e", icon: "bolt", group: "webhooks" },
  { name: "endpoints", path: "/console/endpoints", letter: "p", icon: "plug-connected", group: "webhooks" },
  { name: "receiver", path: "/console/receiver", letter: "v", icon: "shield-check", group: "webhooks" },
  { name: "requests", path: "/console/requests", letter: "r", icon: "activity", group: "api" },
  { name: "clock", path: "/console/clock", letter: "k", icon: "clock", group: "simulate", atFoot: true },
  { name: "faults", path: "/console/faults", letter: "f", icon: "alert-triangle", group: "simulate" },
  { name: "scenarios", path: "/console/scenarios", letter: "n", icon: "flask", group: "simulate" },
  { name: "snapshots", path: "/console/snapshots", letter: "s", icon: "camera", group: "simulate" },
  { name: "mail", path: "/console/mail", letter: "l", icon: "mail", group: "simulate" },
  { name: "accounts", path: "/console/accounts", letter: "a", icon: "users", group: "own" },
  { name: "settings", path: "/console/settings", letter: "t", icon: "settings", group: "own" },
] as const satisfies readonly {
  readonly name: string;
  readonly path: string;
  readonly letter: string;
  readonly icon: IconName;
  readonly group: MenuGroup;
  readonly atFoot?: true;
}[];

/** The first and the last group have no heading. */
export const MENU_GROUPS = ["top", "money", "webhooks", "api", "simulate", "own"] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

export type MenuName = (typeof MENU)[number]["name"];

export const menuWords = texts("menu");

export const groupWords = texts("menu_groups");
