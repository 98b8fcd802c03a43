import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { formatMoney } from "../../../../../base/kernel/money.js";
import { EVIDENCE_TYPES, MAX_EVIDENCE_BYTES } from "../../../../../service/features/med/evidence-limits.js";
import { type MedStatus, medMachine } from "../../../../../service/features/med/machine.js";
import { API, call, failure, ownHeaders } from "../../api/call.js";
import { useFileAddress } from "../../api/files.js";
import type { Message } from "../../api/live.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { FileButton } from "../../parts/file-button.js";
import { Icon } from "../../parts/icon.js";
import { Items } from "../../parts/items.js";
import type { Move } from "../../parts/moves.js";
import { Section, Show } from "../../parts/page.js";
import { Time } from "../../parts/values.js";
import { Problem, Why } from "../../parts/why.js";
import { shared } from "../../parts/words.js";
import { act } from "../../resource/act.js";
import { language, texts } from "../../state/language.js";
import { notify } from "../../state/notice.js";
import { moveFacts } from "../../words/machine-move.js";
import { sizeText } from "../../words/size.js";

/** The two sides of a case. Both are played here, so each has its own colour. */

const words = texts("med");

/** The files of a case: pictures are shown, other files open in a tab of their own, and new ones are dropped or chosen. */

type Piece = OperationAnswer<"med.evidence.list">["data"][number];

function Slot({ piece }: { piece: Piece }) {
  const { address, error, retry } = useFileAddress(`/files/evidence/${piece.id}`);
  const isPicture = piece.mime_type.startsWith("image/");
  const content = (
    <>
      {isPicture ? (
        <img class="sunken" src={address} alt="" loading="lazy" />
      ) : (
        <span class="sunken slot-file">PDF</span>
      )}
      <span>{piece.file_name}</span>
    </>
  );
  return (
    <li class="stack slot">
      {address === undefined ? (
        <button type="button" class="quiet" disabled>
          {content}
        </button>
      ) : (
        <a class="stack" href={address} target="_blank" rel="noopener" title={words.value.open_file}>
          {content}
        </a>
      )}
      <span class="hint">
        {sizeText(piece.file_size, language.value)}, <Time at={piece.uploaded_at} />
      </span>
      {error === null ? null : <Problem of={error} retry={retry} />}
    </li>
  );
}

function Slots({ of }: { of: readonly Piece[] }) {
  return (
    <Items of={of} none={words.value.no_evidence} class="slots">
      {(piece) => <Slot key={piece.id} piece={piece} />}
    </Items>
  );
}

/** The reason why a file cannot be evidence; null if it can. The types are those of the contract. */
function refusalOf({ name, size, type }: Pick<File, "name" | "size" | "type">): string | null {
  if (!EVIDENCE_TYPES.some((known) => known === type)) return fill(words.value.wrong_type, { name });
  if (size > MAX_EVIDENCE_BYTES) return fill(words.value.too_large, { name });
  return size === 0 ? fill(words.value.empty_file, { name }) : null;
}

/** Announces the file, sends it to its signed address, and confirms it. Throws with the reason when a step is refused. */
async function uploadEvidence(caseId: string, file: File): Promise<void> {
  const mime = EVIDENCE_TYPES.find((known) => known === file.type);
  if (mime === undefined) throw new Error(fill(words.value.wrong_type, { name: file.name }));
  const ticket = await call("med.evidence.create", {
    params: { id: caseId },
    body: { file_name: file.name, file_size: file.size, mime_type: mime },
  });
  // The page may send requests only below the console's own address, so the server accepts the file there as well.
  const { pathname, search } = new URL(ticket.upload_url);
  const headers = { ...ownHeaders(), "content-type": mime };
  const answer = await fetch(API + pathname + search, { method: "PUT", headers, body: file });
  if (!answer.ok) throw await failure(answer);
  await call("med.evidence.complete", { params: { id: caseId, evidence_id: ticket.id } });
}

interface Upload {
  readonly name: string;
  readonly text: ComponentChildren;
  readonly isBad: boolean;
}

/** Uploads files one after the other, and reports each result. An upload's message reads the files anew. */
function useUploads(caseId: string) {
  const uploads = useSignal<readonly Upload[]>([]);
  const upload = async (file: File) => {
    const { name } = file;
    const tell = (text: ComponentChildren, isBad = false) => {
      uploads.value = [...uploads.peek().filter((one) => one.name !== name), { name, text, isBad }];
    };
    const refusal = refusalOf(file);
    if (refusal !== null) return tell(refusal, true);
    tell(fill(words.value.uploading, { name }));
    try {
      await uploadEvidence(caseId, file);
      tell(fill(words.value.uploaded, { name }));
    } catch (thrown) {
      tell([`${fill(words.value.not_uploaded, { name })} `, <Why key="why" of={thrown} />], true);
    }
  };
  const send = async (files: Iterable<File>) => {
    uploads.value = [];
    for (const file of files) await upload(file);
  };
  return { uploads, send };
}

/** Takes files for a case: on its page, and in the form of an appeal. */
function DropPlace({ caseId }: { caseId: string }) {
  const { uploads, send } = useUploads(caseId);
  const isOver = useSignal(false);
  return (
    <>
      <fieldset
        aria-label={words.value.evidence}
        class={isOver.value ? "stack drop drop-over" : "stack drop"}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => {
          isOver.value = false;
        }}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          void send([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <span>{words.value.drop}</span>
        <FileButton
          label={shared.value.choose_files}
          multiple
          accept="image/png,image/jpeg,image/webp,image/gif,application/pdf"
          onFiles={send}
        />
        <span class="hint">{words.value.drop_about}</span>
      </fieldset>
      <output>
        {uploads.value.map(({ name, text, isBad }) => (
          <span key={name} class={isBad ? "outcome outcome-bad" : "outcome"}>
            {text}
          </span>
        ))}
      </output>
    </>
  );
}

/** The confirmation of evidence has no event; the message of its request notifies other windows. */
export function useEvidence(id: string) {
  const on = ({ kind, data }: Message) => kind === "case" || (kind === "request" && data.subject === id);
  return useCall("med.evidence.list", { params: { id } }, { on });
}

function EvidenceOfCase({ id }: { id: string }) {
  const { state } = useEvidence(id);
  return (
    <>
      <h3>{words.value.evidence}</h3>
      <Show of={state.value}>{({ data }) => <Slots of={data} />}</Show>
      <DropPlace caseId={id} />
    </>
  );
}

type Decided = Pick<OperationAnswer<"med.get">, "amount" | "currency" | "money_outcome">;

/** The outcome of a decision, with the amount. */
function outcomeText({ amount, currency, money_outcome: to }: Decided): string {
  const text = to === null ? shared.value.done : words.value.decided_as[to];
  return fill(text, { amount: formatMoney(amount, currency) });
}

/** A case that is decided: one line, and its evidence if it has any. Nothing can be done any more. */
export function Over({ of: medCase }: { of: OperationAnswer<"med.get"> }) {
  const pieces = useEvidence(medCase.id).state.value.data?.data ?? [];
  const { closed_at: at } = medCase;
  return (
    <>
      <p class="level over">
        <Icon name="check" /> {outcomeText(medCase)} {at === null ? null : <Time at={at} />}
      </p>
      {pieces.length === 0 ? null : (
        <Section title={words.value.evidence}>
          <Slots of={pieces} />
        </Section>
      )}
    </>
  );
}

/**
 * The buttons change with the state of the case, so the outcome is shown elsewhere: in its state, in its timeline, and
 * in the notice.
 */
const named = (label: string, told: string) => ({
  label,
  done: () => {
    notify(told);
    return null;
  },
});

/** The same for what may decide the case. */
const deciding = (label: string) => ({
  label,
  done: (answer: Decided) => {
    notify(outcomeText(answer));
    return null;
  },
});

interface PossibleProps {
  readonly label: string;
  /** Shown when nothing is possible. */
  readonly none: string;
  readonly children: readonly Move[];
}

/** The actions of a side that are possible now. The steps of the case above say what comes when. */
function Possible({ label, none, children }: PossibleProps) {
  const possible = children.filter(({ props }) => (props.disabled ?? null) === null);
  return possible.length === 0 ? <p>{none}</p> : <Actions label={label}>{possible}</Actions>;
}

type SideProps = { readonly id: string; readonly status: MedStatus };

export function MerchantSide({ id, status }: SideProps) {
  return (
    <section class="stack sheet section side-merchant">
      <h2>{words.value.merchant}</h2>
      <p class="hint">{words.value.merchant_about}</p>
      <Possible label={words.value.merchant} none={words.value.merchant_waits}>
        {act("med.appeal", {
          ...named(words.value.appeal, words.value.appeal_sent),
          kind: "main",
          params: { id },
          text: <DropPlace caseId={id} />,
          ask: [{ name: "reason", label: "appeal_reason_asked", kind: "long" }],
          ...moveFacts(medMachine, status, ["appeal"]),
        })}
        {act("med.accept", {
          ...deciding(words.value.accept),
          params: { id },
          text: words.value.accept_about,
          ...moveFacts(medMachine, status, ["accept"]),
        })}
      </Possible>
      <EvidenceOfCase id={id} />
    </section>
  );
}

const DECISIONS = {
  upheld: ["uphold", "uphold_unanswered"],
  refunded_to_merchant: ["decide_for_merchant"],
  closed_without_refund: ["close_without_refund"],
} as const;

export function BankSide({ id, status }: SideProps) {
  const decide = (outcome: keyof typeof DECISIONS, label: string, kind?: "small") =>
    act("sandbox.med.decide", {
      ...deciding(label),
      kind,
      params: { id },
      body: { outcome },
      ...moveFacts(medMachine, status, DECISIONS[outcome]),
    });
  return (
    <section class="stack sheet section side-bank">
      <h2>{words.value.bank}</h2>
      <p class="hint">{words.value.bank_about}</p>
      <Actions label={words.value.bank}>
        {decide("upheld", words.value.upheld)}
        {decide("refunded_to_merchant", words.value.for_merchant)}
        <span class="flow rarer">
          {act("sandbox.med.request-evidence", {
            ...named(words.value.request_evidence, words.value.evidence_requested),
            kind: "small",
            params: { id },
            emits: ["med_case.updated"],
          })}
          {decide("closed_without_refund", words.value.without_refund, "small")}
          {act("sandbox.med.withdraw", {
            ...deciding(words.value.withdraw),
            kind: "small",
            params: { id },
            ...moveFacts(medMachine, status, ["withdraw"]),
          })}
        </span>
      </Actions>
      {status === "open" ? <p class="hint">{words.value.upheld_unanswered}</p> : null}
    </section>
  );
}
