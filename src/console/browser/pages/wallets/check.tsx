import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { Section } from "../../parts/page.js";
import { act } from "../../resource/act.js";
import { language, texts } from "../../state/language.js";
import { problemText } from "../../words/service-texts.js";

/** Whether all money adds up. */

const words = texts("wallets");

/** A check reads everything. With more journals than this it waits for its button. */
const LIVE_UP_TO = 2_000;

function Verdict({ ok, journals, entries, problems }: OperationAnswer<"sandbox.ledger.check">) {
  if (ok) return <>{fill(words.value.adds_up, { journals: String(journals), entries: String(entries) })}</>;
  return (
    <>
      {words.value.not_up}
      <ul>
        {problems.map((problem) => (
          <li key={problem.text}>{problemText(problem, language.value)}</li>
        ))}
      </ul>
    </>
  );
}

/** `newest` is the id of the newest journal. Ids count up, so it tells how many there can be at most. */
export function LedgerCheck({ newest }: { newest: string | null }) {
  const isSmall = newest !== null && Number(newest) <= LIVE_UP_TO;
  const { state } = useCall("sandbox.ledger.check", { query: {} }, { on: ["journal"], when: isSmall });
  const live = isSmall ? state.value.data : null;
  return (
    <Section title={words.value.check}>
      <p class="hint">{words.value.check_about}</p>
      {live === null ? null : (
        <p class={live.ok ? "outcome" : "outcome outcome-bad"}>
          <Verdict {...live} />
        </p>
      )}
      <Actions>
        {act("sandbox.ledger.check", {
          label: words.value.check_now,
          kind: "small",
          done: (answer) => <Verdict {...answer} />,
        })}
      </Actions>
    </Section>
  );
}
