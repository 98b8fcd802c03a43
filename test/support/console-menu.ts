import { readFileSync } from "node:fs";

/** The menu is read as text: its module reads the language of the browser as it is loaded. */
const menu = readFileSync("src/web/console/browser/shell/menu.ts", "utf8");

const found = (pattern: RegExp) => [...menu.matchAll(pattern)].map(([, one = ""]) => one);

/** The pages of the menu in its order: their names in addresses, and their letters behind `g`. */
export const pageNames: readonly string[] = found(/ name: "(\w+)", letter: /g);
export const pageAddresses = pageNames.map((name) => (name === "overview" ? "/console/" : `/console/${name}`));
export const pageLetters: readonly string[] = found(/ letter: "(.)",/g);

/** The views of pages that show something else than the page by itself. */
export const viewAddresses: readonly string[] = [
  "/console/med?view=mail",
  "/console/webhooks?view=event",
  "/console/endpoints?view=check",
  "/console/endpoints?view=bench",
  "/console/scenarios?view=record",
  "/console/scenarios?view=snapshots",
  "/console/scenarios?view=survive",
];
