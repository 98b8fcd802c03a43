import type { Verdict, VerdictCode } from "../../../../kernel/webhook-signature.js";
import { en, pt } from "../../texts/index.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What the signature bench says. In English it says what `qa-pay webhooks verify` says. */

const tableIn = perLanguage<Readonly<Record<VerdictCode, string>> | null>(null, pt.receiver_verdicts);

const outcomeIn = perLanguage(en.receiver_outcomes, pt.receiver_outcomes);

export function verdictText({ code, reason, seconds }: Verdict, language: Language): string {
  const said = tableIn(language)?.[code].replace("{seconds}", String(seconds)) ?? reason;
  return `${outcomeIn(language)[code === "valid" ? "valid" : "refused"]}: ${said}.`;
}
