import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { OperationAnswer } from "../../../../client/types.js";
import { isUndecided, type MedStatus } from "../../../../features/med/machine.js";
import { fill } from "../../../../kernel/message.js";
import { useFileAddress } from "../../api/files.js";
import type { Message } from "../../api/live.js";
import { useCall } from "../../api/use-call.js";
import { FileButton } from "../../parts/file-button.js";
import { Show } from "../../parts/page.js";
import { Time } from "../../parts/values.js";
import { Why } from "../../parts/why.js";
import { shared } from "../../parts/words.js";
import { language, texts } from "../../state/language.js";
import { sizeText } from "../../words/size.js";
import { refusalOf, uploadEvidence } from "./upload.js";

/** The files of a case: pictures are shown, other files open in a tab of their own, and new ones are dropped or chosen. */

const words = texts("med");

type Piece = OperationAnswer<"med.evidence.list">["data"][number];

function Slot({ piece }: { piece: Piece }) {
  const address = useFileAddress(`/files/evidence/${piece.id}`);
  const isPicture = piece.mime_type.startsWith("image/");
  const content = (
    <>
      {isPicture ? <img src={address} alt="" loading="lazy" /> : <span class="slot-file">PDF</span>}
      <span>{piece.file_name}</span>
    </>
  );
  return (
    <li class="slot">
      {address === undefined ? (
        <button type="button" class="quiet" disabled aria-busy="true">
          {content}
        </button>
      ) : (
        <a href={address} target="_blank" rel="noopener" title={words.value.open_file}>
          {content}
        </a>
      )}
      <span class="hint">
        {sizeText(piece.file_size, language.value)}, <Time at={piece.uploaded_at} />
      </span>
    </li>
  );
}

interface Upload {
  readonly name: string;
  readonly text: ComponentChildren;
  readonly isBad: boolean;
}

/** Uploads files one after the other, and tells of each how it went. The message of each upload reads the files of the case anew. */
function useUploads(caseId: string) {
  const uploads = useSignal<readonly Upload[]>([]);
  const tell = (upload: Upload) => {
    uploads.value = [...uploads.peek().filter(({ name }) => name !== upload.name), upload];
  };
  const send = async (files: Iterable<File>) => {
    uploads.value = [];
    for (const file of files) {
      const { name } = file;
      const refusal = refusalOf(file);
      if (refusal !== null) {
        tell({ name, text: refusal, isBad: true });
        continue;
      }
      tell({ name, text: fill(words.value.uploading, { name }), isBad: false });
      try {
        await uploadEvidence(caseId, file);
        tell({ name, text: fill(words.value.uploaded, { name }), isBad: false });
      } catch (thrown) {
        const text = (
          <>
            {fill(words.value.not_uploaded, { name })} <Why of={thrown} />
          </>
        );
        tell({ name, text, isBad: true });
      }
    }
  };
  return { uploads, send };
}

/** Takes files for a case: on its page, and in the form of an appeal. */
export function DropPlace({ caseId }: { caseId: string }) {
  const { uploads, send } = useUploads(caseId);
  const isOver = useSignal(false);
  return (
    <>
      <fieldset
        aria-label={words.value.evidence}
        class={isOver.value ? "drop drop-over" : "drop"}
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

/** The confirmation of evidence has no event; the message of its request tells other windows of it. */
const isAbout = ({ kind, data }: Message, id: string) => kind === "case" || (kind === "request" && data.subject === id);

export function useEvidence(id: string) {
  const on = (message: Message) => isAbout(message, id);
  return useCall("med.evidence.list", { params: { id } }, { on });
}

export function EvidenceOfCase({ id, status }: { id: string; status: MedStatus }) {
  const { state } = useEvidence(id);
  return (
    <>
      <h3>{words.value.evidence}</h3>
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">{words.value.no_evidence}</p>
          ) : (
            <ul class="plain slots">
              {data.map((piece) => (
                <Slot key={piece.id} piece={piece} />
              ))}
            </ul>
          )
        }
      </Show>
      {isUndecided(status) ? <DropPlace caseId={id} /> : <p class="hint">{words.value.evidence_closed}</p>}
    </>
  );
}
