import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { languageName, otherLanguages } from "../../../../base/kernel/language.js";
import { fill } from "../../../../base/kernel/message.js";
import { parseAmount } from "../../../../base/kernel/money.js";
import { namesOf } from "../../../../base/kernel/names.js";
import { call } from "../api/call.js";
import { commands } from "../facts/commands.js";
import type { IconName } from "../parts/icon-paths.js";
import { chooseLanguage, language, texts } from "../state/language.js";
import { theme } from "../state/looks.js";
import { CLOCK_STEPS } from "../words/clock-steps.js";
import { type Found, foundLine } from "../words/found.js";
import { ALSO } from "../words/palette-also.js";
import { type PaletteGroup, rankOf } from "../words/palette-rank.js";
import { advance, toNextDue } from "./clock-menu.js";
import { MENU, menuWords } from "./menu.js";
import { openKeys, overlay, recent } from "./palette-state.js";
import { shortcuts } from "./shortcuts.js";

/** The entries of the palette: pages, actions of the shown page, objects, commands and settings. */

export const words = texts("palette_entries");
const clockWords = texts("clock_bar");
const shortcutWords = texts("shortcuts");

export interface Entry {
  readonly key: string;
  readonly group: PaletteGroup;
  readonly icon: IconName;
  readonly text: string;
  /** For an object: what the search found. */
  readonly found?: Found;
  /** Its kind, or the command that does the same. */
  readonly about: string;
  /** Other words for the same page. */
  readonly also?: readonly string[];
  /** The keys that do the same. */
  readonly keys?: string;
  /** The language of the text, if it is not that of the page. */
  readonly lang?: "en";
  readonly isMinor?: boolean;
  /** The page that it opens; without it, `run` is called. */
  readonly path?: string;
  readonly run?: () => void;
}

/** True if a person can reach the button: it is visible, or it is in a menu whose button is visible. */
const isReachable = (button: HTMLElement) =>
  button.checkVisibility() || button.closest(".behind-menu")?.previousElementSibling?.checkVisibility() === true;

/** The page's own buttons whose actions are possible now. */
function pageActions(): Entry[] {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("main fieldset.actions .action > button")];
  return buttons
    .filter((button) => button.ariaDisabled !== "true" && isReachable(button))
    .map((button, index) => {
      // Behind the label stands the key of the button, if it has one.
      const text = button.firstChild?.textContent?.trim() ?? "";
      return { key: `${index} ${text}`, group: "actions", icon: "bolt", text, about: "", run: () => button.click() };
    });
}

const pages = (): Entry[] =>
  MENU.map(({ name, path, icon, letter }) => {
    const also = ALSO[name] ?? [];
    return { key: name, group: "page", icon, text: menuWords.value[name], about: "", also, keys: `g ${letter}`, path };
  });

const operations = (): Entry[] =>
  Object.entries(commands).map(([id, { command, variant, summary }]) => ({
    key: id,
    group: "commands",
    icon: "terminal-2",
    text: summary,
    lang: "en",
    about: `qa-pay ${command}${variant === undefined ? "" : ` --${variant}`}`,
    run: () => {
      overlay.value = { operation: id };
    },
  }));

/** What people want most of a page, also by words that lead to the page. */
const shortcutEntries = (route: (path: string) => void): Entry[] =>
  namesOf(shortcuts).map((page) => {
    const { name, run } = shortcuts[page];
    const text = shortcutWords.value[name];
    return {
      key: name,
      group: "settings",
      icon: page === "connect" ? "copy" : "activity",
      text,
      about: "",
      run: () => void run(route),
    };
  });

/** Entries without a form: jumps of the clock, language, theme, and the sheet of keys. */
function settings(): Entry[] {
  const setting = (text: string, icon: IconName, run: () => void, about = ""): Entry => {
    return { key: text, group: "settings", icon, text, about, run };
  };
  return [
    ...CLOCK_STEPS.map(({ seconds, label }) => {
      const command = `qa-pay sandbox clock advance --seconds ${seconds}`;
      return setting(
        fill(words.value.jump, { by: label }),
        "player-skip-forward",
        () => void advance({ seconds }),
        command,
      );
    }),
    { ...setting(clockWords.value.next, "player-skip-forward", () => void toNextDue()), keys: ">" },
    { ...setting(words.value.keys, "terminal-2", openKeys), keys: "?" },
    ...otherLanguages(language.value).map((other) => {
      return setting(languageName(other), "settings", () => void chooseLanguage(other));
    }),
    ...theme.choices.map((name) => setting(fill(words.value.theme, { name }), "settings", () => theme.choose(name))),
  ];
}

function recentEntries(): Entry[] {
  return recent.value.flatMap((path) => {
    const [, , page = "", id = ""] = path.split("/");
    const known = MENU.find(({ name }) => name === page);
    if (known === undefined) return [];
    const { name, icon } = known;
    return { key: path, group: "objects", icon, text: decodeURIComponent(id), about: menuWords.value[name], path };
  });
}

const ICON_OF: Readonly<Record<string, IconName>> = {
  charge: "receipt-2",
  payment: "receipt-2",
  refund: "arrow-back-up",
  payout: "cash",
  med_case: "scale",
  email: "mail",
  event: "bolt",
  delivery: "send",
  endpoint: "plug-connected",
  user: "users",
  account: "users",
};

/** Whoever looks for a word rarely means these, and an address of e-mail has half of all words. */
const MINOR: readonly string[] = ["email", "user", "api_key"];

/** The objects that the server finds. A query that is an amount is mostly about payments. */
async function objectsFor(query: string): Promise<Entry[]> {
  const { data } = await call("sandbox.search", { query: { q: query } });
  const isPaid = ({ parts }: (typeof data)[number]) => parts.some(({ params }) => params.value === "paid");
  const byPaid = (a: (typeof data)[number], b: (typeof data)[number]) => Number(isPaid(b)) - Number(isPaid(a));
  return (parseAmount(query) === null ? data : data.toSorted(byPaid)).map((found) => ({
    key: `${found.kind} ${found.id}`,
    group: "objects",
    icon: ICON_OF[found.kind] ?? "search",
    isMinor: MINOR.includes(found.kind),
    text: foundLine(found, language.value).text,
    found,
    about: "",
    path: `/console/go/${encodeURIComponent(found.id)}`,
  }));
}

const SEARCH_AFTER_MS = 150;
/** The maximum of shown entries of each group. */
const MOST: Readonly<Record<PaletteGroup, number>> = { actions: 8, page: 6, objects: 8, commands: 8, settings: 6 };

/** The matching entries, the best first; the entries of one group stand together, at the place of the best. */
function ranked(entries: readonly Entry[], query: string): readonly Entry[] {
  const fitting = entries.flatMap((entry) => {
    const rank = rankOf(entry, query);
    return rank === null ? [] : [{ entry, rank }];
  });
  const best = fitting.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry);
  const groups = [...new Set(best.map(({ group }) => group))];
  return groups.flatMap((name) => best.filter(({ group }) => group === name).slice(0, MOST[name]));
}

/** Pages, actions and commands at once, and objects from the server a moment after the last key. */
export function useEntries(query: string): readonly Entry[] {
  const { route } = useLocation();
  const objects = useSignal<{ readonly query: string; readonly found: readonly Entry[] }>({ query: "", found: [] });
  useEffect(() => {
    let isOver = false;
    if (query.length < 2) return undefined;
    const timer = setTimeout(() => {
      objectsFor(query).then(
        (found) => {
          if (!isOver) objects.value = { query, found };
        },
        () => undefined,
      );
    }, SEARCH_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query]);
  const fixed = [
    ...pageActions(),
    ...recentEntries().filter(() => query === ""),
    ...pages(),
    ...shortcutEntries(route),
    ...settings(),
  ];
  // The results of another query could be chosen by mistake.
  const found = objects.value.query === query ? objects.value.found : [];
  return query === "" ? fixed : ranked([...fixed, ...found, ...operations()], query);
}
