import type { FixtureName } from "../../../../api/fixtures/built-in-fixtures.js";
import type { AttemptErrorCode } from "../../../../base/kernel/attempt-errors.js";
import type { VerdictCode } from "../../../../base/kernel/webhook-signature.js";
import type { FaultName, OracleName } from "../../../../checks/survive/faults.js";
import type { StepTexts } from "../../../../checks/survive/words.js";
import type { ReceiverTexts } from "../../../../emulator/receiver-check/texts.js";
import type {
  CauseCode,
  DueCode,
  FoundCode,
  ItemCode,
  ProblemCode,
} from "../../../../service/features/service-texts.js";
import type { SentenceCode } from "../../../../service/features/why-codes.js";
import type en from "./en.json";

/** The texts of the console by area. `terms` has the names of fields and states that several pages show. */
export type Texts = typeof en;

type TextOf<Code extends string> = Readonly<Record<Code, string>>;

/** The texts that the service sends in English with their codes. The files of the other languages have them too. */
export interface ServiceTexts {
  readonly attempt_errors: TextOf<AttemptErrorCode>;
  readonly due: TextOf<DueCode>;
  readonly found: TextOf<FoundCode>;
  readonly receiver_case: ReceiverTexts;
  readonly receiver_verdicts: TextOf<VerdictCode>;
  readonly scenarios_fixture: TextOf<FixtureName>;
  readonly survive_faults: TextOf<FaultName>;
  readonly survive_oracles: TextOf<OracleName>;
  readonly survive_steps: StepTexts;
  readonly timeline_causes: TextOf<CauseCode>;
  readonly timeline_items: TextOf<ItemCode>;
  readonly wallet_problems: TextOf<ProblemCode>;
  readonly why: TextOf<SentenceCode>;
}

export type TranslatedTexts = Texts & ServiceTexts;
