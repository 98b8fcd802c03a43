import { ATTEMPT_ERRORS } from "../../../base/kernel/attempt-errors.js";
import type { Translation as Language } from "../../../base/kernel/language.js";
import type { Sentences } from "../../../base/kernel/wording.js";
import { CAUSE_TEXTS, ITEM_TEXTS } from "../../../service/features/service-texts.js";
import { WHY_TEXTS } from "../../../service/features/why-codes.js";
import { TRANSLATIONS as CONSOLE } from "../../../web/console/browser/texts/languages.js";
import { TRANSLATIONS } from "../texts/languages.js";
import type { Translation } from "./language.js";

/** Loads the texts of a translation: those of the commands, and those that the console has for the same things. */

/** The texts of the service by their English templates. */
function byEnglish(english: Sentences, translated: Sentences): Sentences {
  return Object.fromEntries(Object.entries(english).map(([code, text]) => [text, translated[code] ?? text]));
}

export async function loadTranslation(language: Language): Promise<Translation> {
  const [{ default: own }, { default: shared }] = await Promise.all([TRANSLATIONS[language](), CONSOLE[language]()]);
  const sentences = {
    ...byEnglish(ATTEMPT_ERRORS, shared.attempt_errors),
    ...byEnglish(CAUSE_TEXTS, shared.timeline_causes),
    ...byEnglish(ITEM_TEXTS, shared.timeline_items),
    ...byEnglish(WHY_TEXTS, shared.why),
    ...own.sentences,
  };
  // The console says `paid` of payouts alone: it has another word for charges.
  const states = { ...shared.codes, paid: shared.codes.PAID, ...own.values };
  return { headings: own.headings, states, outcomes: shared.med.outcomes, sentences };
}
