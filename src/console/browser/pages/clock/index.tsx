import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useCall } from "../../api/use-call.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Icon } from "../../parts/icon.js";
import { Facts, Page, Section, Show, Skeleton } from "../../parts/page.js";
import { Status } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { isEmulated, isFrozen, learnClock, now } from "../../state/clock.js";
import { language, texts } from "../../state/language.js";
import { CLOCK_STEPS } from "../../words/clock-steps.js";
import { duration, longTime } from "../../words/time.js";
import { type Advanced, CHANGES_DUE } from "./due.js";
import { Hours } from "./hours.js";
import { DueList, Ran } from "./jump.js";

/** The emulated clock: its state, ways to move it, and everything that is due on it. */

const words = texts(
  {
    emulated: "Emulated time",
    real: "Real time",
    difference: "Difference",
    ahead: (by: string) => `${by} ahead of real time`,
    behind: (by: string) => `${by} behind real time`,
    frozen: "frozen: it stands still until it is moved or resumed",
    moved: "it runs, and is not the real time",
    same: "it runs with the real time",
    move: "Move the clock",
    freeze: "Freeze",
    resume: "Resume",
    frozen_already: "It stands still already.",
    runs_already: "It runs already.",
    next: "Next due",
    nothing_due: "Nothing is due.",
    instant: "To an instant",
    until: "Instant",
    until_hint: "ISO 8601, such as 2027-01-01T00:00:00Z",
    due: "Due",
    due_caption: "What will happen by itself, soonest first",
    empty:
      "What will happen by itself stands here: expiries, scripted payments, retries of deliveries, releases of money.",
    ran: "What ran",
    more: (count: number) => `Only the first ${count} are shown. The rest follows when these are done.`,
    tolerance:
      "A receiver compares t of the signature with its own clock, usually within five minutes. It does not know the emulated clock.",
    accepted: "The clocks differ by less than five minutes: receivers take webhooks that are sent now.",
    refused: (by: string) =>
      `The clocks differ by ${by}: a receiver that checks t against real time refuses what is sent now.`,
    remedy: "Let the receiver read the clock of this server in tests, or allow a larger difference there.",
  },
  {
    emulated: "Hora emulada",
    real: "Hora real",
    difference: "Diferença",
    ahead: (by) => `${by} à frente da hora real`,
    behind: (by) => `${by} atrás da hora real`,
    frozen: "parado: não anda até ser avançado ou retomado",
    moved: "anda, e não é a hora real",
    same: "anda junto com a hora real",
    move: "Mover o relógio",
    freeze: "Parar",
    resume: "Retomar",
    frozen_already: "Já está parado.",
    runs_already: "Já está andando.",
    next: "Próximo vencimento",
    nothing_due: "Nada está para vencer.",
    instant: "Até um instante",
    until: "Instante",
    until_hint: "ISO 8601, como 2027-01-01T00:00:00Z",
    due: "A vencer",
    due_caption: "O que vai acontecer sozinho, o mais próximo primeiro",
    empty:
      "Aqui fica o que vai acontecer sozinho: expirações, pagamentos do roteiro, novas tentativas de entrega, liberações de saldo.",
    ran: "O que foi executado",
    more: (count) => `São mostrados só os primeiros ${count}. O resto aparece quando estes terminarem.`,
    tolerance:
      "O receptor compara o t da assinatura com o próprio relógio, em geral com tolerância de cinco minutos. Ele não conhece o relógio emulado.",
    accepted: "Os relógios diferem menos de cinco minutos: os receptores aceitam webhooks enviados agora.",
    refused: (by) =>
      `Os relógios diferem ${by}: um receptor que confere o t com a hora real recusa o que for enviado agora.`,
    remedy: "Nos testes, deixe o receptor ler o relógio deste servidor ou aceite lá uma diferença maior.",
  },
);

/** What receivers usually allow between `t` and their own clock. */
const TOLERANCE_MS = 300_000;
/** The clocks are read one after the other, so that they never agree to the millisecond. */
const SAME_MS = 2_000;
const SHOWN = 100;

/** The real time, renewed each second while the page is visible. */
function useRealTime(): number {
  const at = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) at.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  return at.value;
}

function stateWords(): string {
  if (isFrozen.value) return words.value.frozen;
  return isEmulated.value ? words.value.moved : words.value.same;
}

function Times() {
  const real = useRealTime();
  const at = now.value;
  if (at === null) return null;
  const difference = at - real;
  const isSame = Math.abs(difference) < SAME_MS;
  const by = duration(difference);
  const apart = difference > 0 ? words.value.ahead(by) : words.value.behind(by);
  return (
    <>
      <Facts
        of={[
          [words.value.emulated, <span class="clock-now">{longTime(at, language.value)}</span>],
          [words.value.real, longTime(real, language.value)],
          [words.value.difference, isSame ? null : apart],
        ]}
      />
      {Math.abs(difference) < TOLERANCE_MS ? (
        <p class="hint">
          {words.value.tolerance} {words.value.accepted}
        </p>
      ) : (
        <p class="warning">
          <Icon name="alert-triangle" />
          <span>
            <strong>{words.value.refused(by)}</strong> {words.value.tolerance} {words.value.remedy}
          </span>
        </p>
      )}
    </>
  );
}

interface MoveProps {
  readonly hasDue: boolean;
  readonly onRan: (answer: Advanced) => void;
}

function Move({ hasDue, onRan }: MoveProps) {
  const done = (answer: Advanced) => {
    learnClock(answer);
    onRan(answer);
    return longTime(Date.parse(answer.now), language.value);
  };
  const show = (answer: { readonly now: string; readonly frozen: boolean }) => {
    learnClock(answer);
    return stateWords();
  };
  return (
    <Section title={words.value.move}>
      <Actions label={words.value.move}>
        {CLOCK_STEPS.map(({ seconds, label }) => (
          <Action key={label} id="sandbox.clock.advance" label={label} input={{ body: { seconds } }} done={done} />
        ))}
        <Action
          id="sandbox.clock.advance"
          label={words.value.next}
          input={{ body: { to: "next" } }}
          disabled={hasDue ? null : words.value.nothing_due}
          done={done}
        />
        <FormAction
          id="sandbox.clock.advance"
          label={words.value.instant}
          fields={[{ name: "to", label: words.value.until, hint: words.value.until_hint, required: true }]}
          input={({ to }) => ({ body: { to } })}
          done={done}
        />
        <Action
          id="sandbox.clock.freeze"
          label={words.value.freeze}
          input={{}}
          disabled={isFrozen.value ? words.value.frozen_already : null}
          done={show}
        />
        <Action
          id="sandbox.clock.resume"
          label={words.value.resume}
          input={{}}
          disabled={isFrozen.value ? null : words.value.runs_already}
          done={show}
        />
      </Actions>
    </Section>
  );
}

export function Clock() {
  const { state } = useCall("sandbox.clock.due", { query: { limit: SHOWN } }, { on: CHANGES_DUE });
  const ran = useSignal<Advanced | null>(null);
  const onRan = (answer: Advanced) => {
    learnClock(answer);
    ran.value = answer;
  };
  // Together, so that nothing moves while it comes.
  const isRead = state.value.data !== null || state.value.error !== null;
  const hasDue = (state.value.data?.data.length ?? 0) > 0;
  return (
    <Page
      title={menuWords.value.clock}
      command={{ id: "sandbox.clock.due", input: { query: { limit: SHOWN } } }}
      facts={<Status status={stateWords()} tone={isEmulated.value ? "wait" : "good"} />}
    >
      {isRead ? (
        <>
          <Times />
          <Move hasDue={hasDue} onRan={onRan} />
          {ran.value === null ? null : (
            <Section title={words.value.ran}>
              <Ran answer={ran.value} />
            </Section>
          )}
          <Section title={words.value.due}>
            <Show of={state.value}>
              {({ data, has_more: hasMore }) =>
                data.length === 0 ? (
                  <Empty text={words.value.empty} command="qa-pay charges create --amount 1990" />
                ) : (
                  <>
                    <Hours due={data} />
                    <DueList entries={data} caption={words.value.due_caption} onRan={onRan} />
                    {hasMore ? <p class="hint">{words.value.more(data.length)}</p> : null}
                  </>
                )
              }
            </Show>
          </Section>
        </>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}
