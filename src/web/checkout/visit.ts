import type { PageRequest } from "../../api/http/page.js";
import { type Language, languageOf } from "../../base/kernel/language.js";
import { TEXTS } from "./texts/languages.js";

/** The texts of the pages for payers. */
export type Messages = (typeof TEXTS)["en"];

/** The payer's view of the pages: the language, and the choices in the address. */
export interface Visit {
  readonly language: Language;
  readonly texts: Messages;
  /** The choices of the address, to be added to the query of every link: `&lang=en&panel=0`, or nothing. */
  readonly choices: string;
  /** The address of the same page in another language. */
  hrefIn(language: Language): string;
  /** True if the page has the simulation. `panel=0` hides it. */
  readonly panel: boolean;
  /** True if the page returns to the shop by itself after the payment: `redirect=1`. */
  readonly redirect: boolean;
  /** The source of scripts and styles for the content security policy. */
  readonly assets: string;
}

/** The parameters of an address that a payer or a shop chooses, and their values. */
const CHOICES: Readonly<Record<string, RegExp>> = { lang: /^[a-z-]{2,20}$/i, panel: /^0$/, redirect: /^1$/ };

/** Policies have no notation for an IPv6 address; the whole origin is the nearest one. */
function assetsOf(origin: string): string {
  return URL.canParse(origin) && !origin.includes("[") ? `${origin}/checkout/assets/` : "'self'";
}

export function visitOf(query: URLSearchParams, { origin, headers }: PageRequest): Visit {
  const requested = query.get("lang");
  const language = languageOf(requested, headers["accept-language"], "pt-BR");
  const chosen = Object.entries(CHOICES).filter(([name, values]) => values.test(query.get(name) ?? ""));
  const kept = chosen.map(([name]) => `&${name}=${query.get(name)}`);
  const others = kept.filter((choice) => !choice.startsWith("&lang="));
  return {
    language,
    texts: TEXTS[language],
    choices: kept.join(""),
    hrefIn: (other) => `?k=${encodeURIComponent(query.get("k") ?? "")}${others.join("")}&lang=${other}`,
    panel: query.get("panel") !== "0",
    redirect: query.get("redirect") === "1",
    assets: assetsOf(origin),
  };
}
