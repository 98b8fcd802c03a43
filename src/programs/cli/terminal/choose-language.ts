import { ENGLISH, type Language, languageOfTag } from "../../../base/kernel/language.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { withTranslation } from "./language.js";

/** Which language a command speaks: that of a flag, else of a variable. */

type Env = Readonly<Record<string, string | undefined>>;

/** The variables of the system. The first one that is set decides. */
const LOCALE = ["LC_ALL", "LC_MESSAGES", "LANG"] as const;

/** A setting that names no language of this program. */
export interface UnknownLanguage {
  /** The flag or the variable. */
  readonly where: string;
  readonly given: string;
}

/** The language of a tag, or of a locale of the system such as `pt_BR.UTF-8`; undefined for another one. */
function languageIn(text: string): Language | undefined {
  return languageOfTag(text.replace(/[.@].*$/, "").replace("_", "-"));
}

/** The language of a command line. A locale of another language is English. */
export function chosenLanguage(words: readonly string[], env: Env): Language | UnknownLanguage {
  const at = words.findLastIndex((word) => word === "--lang" || word.startsWith("--lang="));
  const flag = at === -1 ? undefined : (words[at]?.split("=")[1] ?? words[at + 1]);
  if (flag !== undefined) return languageIn(flag) ?? { where: "--lang", given: flag };
  const variable = trimPasted(env.QA_PAY_LANG ?? "");
  if (variable !== "") return languageIn(variable) ?? { where: "QA_PAY_LANG", given: variable };
  const locale = LOCALE.map((name) => env[name]).find((value) => value !== undefined && value !== "");
  return languageIn(locale ?? "") ?? ENGLISH;
}

/** Runs a command in a language. */
export async function inLanguage<Result>(language: Language, run: () => Promise<Result>): Promise<Result> {
  if (language === ENGLISH) return withTranslation(null, run);
  const { loadTranslation } = await import("./load-translation.js");
  return withTranslation(await loadTranslation(language), run);
}
