import { useSignal } from "@preact/signals";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { type Signature, TOLERANCE_SECONDS, textToSign } from "../../../../../base/kernel/webhook-signature.js";
import { ActionRow } from "../../parts/action.js";
import { Snippets } from "../../parts/snippets.js";
import { act } from "../../resource/act.js";
import { withBook } from "../../state/book.js";
import { language, texts } from "../../state/language.js";
import { clockGap } from "../../words/delivery-facts.js";
import { whyPieces } from "../../words/service-texts.js";
import { signatureSnippets } from "../../words/signature-snippets.js";
import { type Difference, differenceOf } from "../../words/text-difference.js";
import { duration } from "../../words/time.js";
import { type Attempt, type Delivery, headerOf } from "./facts.js";

/** The bench of a refused signature: what was signed beside what the receiver signs, the mistake, and how to mend it. */

const words = texts("signature");

type Proof = NonNullable<OperationAnswer<"sandbox.deliveries.prove">["proof"]>;

interface SideProps {
  readonly title: string;
  /** Who signed the text. */
  readonly about: string;
  readonly header: string;
  /** What was signed: the text before the difference, and the rest from there on. */
  readonly before: string;
  readonly rest: string;
}

/** One of the two signatures: the value of the header and the signed text, whose first differing byte is marked. */
function Side({ title, about, header, before, rest }: SideProps) {
  const [first = "", ...others] = [...rest];
  return (
    <div class="stack">
      <h3>{title}</h3>
      <code class="sunken">{header}</code>
      <p class="hint">{about}</p>
      <code class="sunken signed-text">
        {before}
        {first === "" ? <mark>{words.value.nothing}</mark> : <mark>{first}</mark>}
        {others.join("")}
      </code>
    </div>
  );
}

/** The first byte that differs: in the signed text, or in the header where the receiver signs the right text. */
function Where({ of, isText }: { of: Difference | null; isText: boolean }) {
  if (of === null) return null;
  const shown = (text: string) => ([...text][0] === undefined ? words.value.nothing : `“${[...text][0]}”`);
  const { differs_text: inText, differs_header: inHeader } = words.value;
  return (
    <p class="hint">
      {fill(isText ? inText : inHeader, { byte: of.byte, sent: shown(of.one), expected: shown(of.other) })}
    </p>
  );
}

/** Mistakes after which nothing has to be mended in the code of the receiver. */
const NOT_IN_CODE: readonly string[] = ["mistake_mended", "mistake_clock"];

/** Mistakes about the secret: the right one is on the page of the endpoint. */
const OF_SECRET: readonly string[] = [
  "mistake_account_secret",
  "mistake_other_endpoint",
  "mistake_previous_secret",
  "mistake_no_secret",
  "mistake_blank",
];

interface FoundProps {
  readonly proof: Proof;
  readonly delivery: Delivery;
  readonly signature: Signature;
}

function Mend({ proof: { code }, delivery: { endpointId }, signature }: FoundProps) {
  if (NOT_IN_CODE.includes(code)) return null;
  if (OF_SECRET.includes(code)) {
    return endpointId === null ? null : (
      <p>
        <a href={withBook(`/console/endpoints/${endpointId}`)}>{words.value.right_secret}</a>
      </p>
    );
  }
  return (
    <div class="stack">
      <h3>{words.value.mend}</h3>
      <Snippets label={words.value.mend} of={signatureSnippets(signature.family)} />
    </div>
  );
}

/** The proven mistake in words, the two signatures side by side, and the right code. */
function Found(props: FoundProps) {
  const { code, params, right, accepted, signed, receiver_signed: receiverSigned } = props.proof;
  const inText = receiverSigned === null ? null : differenceOf(signed, receiverSigned);
  const where = inText ?? differenceOf(right, accepted);
  const said = whyPieces({ sentences: [{ code, params }] }, language.value);
  return (
    <>
      <p class="found">
        <strong>{said.map(({ text }) => text).join("")}</strong>
      </p>
      {where === null ? null : (
        <>
          <div class="two-sides">
            <Side
              title={words.value.sent_by_us}
              about={words.value.signed}
              header={right}
              before={inText?.before ?? ""}
              rest={inText?.one ?? signed}
            />
            <Side
              title={words.value.expected_by_receiver}
              about={words.value.signed_there}
              header={accepted}
              before={inText?.before ?? ""}
              rest={inText?.other ?? signed}
            />
          </div>
          <Where of={where} isText={inText !== null} />
        </>
      )}
      <Mend {...props} />
    </>
  );
}

/** Why a correct receiver would refuse this very attempt; null where nothing is known. */
function ownReason(attempt: Attempt): string | null {
  if (attempt.chaos.includes("corrupt_signature")) return words.value.forged;
  if (attempt.chaos.includes("stale_timestamp")) return words.value.stale;
  const gap = clockGap(attempt) ?? 0;
  if (Math.abs(gap) <= TOLERANCE_SECONDS) return null;
  return fill(gap > 0 ? words.value.ahead : words.value.behind, { time: duration(gap * 1_000) });
}

interface BenchProps {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  readonly signature: Signature;
}

/** What was sent, and a button that finds what the receiver expects: by trials, each signed with one usual mistake. */
export function Bench({ delivery, attempt, signature }: BenchProps) {
  const proof = useSignal<Proof | null>(null);
  const reason = ownReason(attempt);
  const find = act("sandbox.deliveries.prove", {
    label: words.value.find,
    params: { id: delivery.id },
    running: words.value.finding,
    done: (answer) => {
      proof.value = answer.proof;
      return answer.proof === null ? words.value.not_found : null;
    },
  });
  return (
    <div class="bench-box stack">
      <h2>{words.value.bench_title}</h2>
      {proof.value === null ? (
        <>
          {reason === null ? null : <p>{reason}</p>}
          <p class="hint">{words.value.find_text}</p>
          <ActionRow label={words.value.bench_title}>{find}</ActionRow>
          <dl class="stack">
            <dt>X-QA-Signature</dt>
            <dd class="stack">
              <code class="sunken">{headerOf(attempt)}</code>
            </dd>
            <dt>{words.value.signed}</dt>
            <dd class="stack">
              <code class="sunken signed-text">
                {differenceOf(textToSign(signature, attempt.request.body), "")?.one}
              </code>
            </dd>
          </dl>
        </>
      ) : (
        <Found proof={proof.value} delivery={delivery} signature={signature} />
      )}
    </div>
  );
}
