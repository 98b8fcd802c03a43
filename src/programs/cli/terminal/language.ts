import type { AsyncLocalStorage } from "node:async_hooks";
import { type Sentences, Wording } from "../../../base/kernel/wording.js";

/**
 * The texts of the language in which a command speaks to people. Each command line has its own language, also where one process runs
 * several. English stands in the code, and nothing is loaded for it.
 */

/** The texts of a translation. */
export interface Translation {
  /** The heads of columns, by the English ones. */
  readonly headings: Sentences;
  /** The states of charges, payments, deliveries and cases, by the words of the service. */
  readonly states: Sentences;
  /** Where the money of a case went, by the words of the service. */
  readonly outcomes: Sentences;
  readonly sentences: Sentences;
}

let running: AsyncLocalStorage<Translation | null> | undefined;

/** The texts of the command that runs here; null for English. */
export function translation(): Translation | null {
  return running?.getStore() ?? null;
}

/** An English sentence in the language of the command, with its values still in braces. */
export function translated(template: string): string {
  return translation()?.sentences[template] ?? template;
}

/** A state as the service names it, and in another language also the word that tables have for it. */
export class StateName extends Wording {
  override in(sentences: Sentences | null): string {
    const word = sentences === null ? undefined : translation()?.states[this.template];
    return word === undefined ? this.template : `${this.template} (${word})`;
  }
}

/** Runs a command with the texts of a translation, or in English. */
export async function withTranslation<Result>(texts: Translation | null, run: () => Promise<Result>): Promise<Result> {
  if (texts === null && running === undefined) return run();
  const { AsyncLocalStorage: Storage } = await import("node:async_hooks");
  running ??= new Storage();
  return running.run(texts, run);
}
