import { useSignal } from "@preact/signals";
import type { OperationAnswer } from "../../../../client/types.js";
import { callAny } from "../../api/call.js";
import { Icon } from "../../parts/icon.js";
import { Refused } from "../../parts/why.js";
import { texts } from "../../state/language.js";
import { download } from "../../words/download.js";

const words = texts("charges_page");

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Downloads the receipt of a settled payment. */
export function Receipt({ id }: { id: string }) {
  const problem = useSignal<unknown>(null);
  const get = async () => {
    problem.value = null;
    try {
      const answer = (await callAny("payments.receipt", { params: { id } })) as OperationAnswer<"payments.receipt">;
      download(`receipt-${id}.pdf`, answer.contentType, bytesOf(answer.base64));
    } catch (thrown) {
      problem.value = thrown;
    }
  };
  return (
    <>
      <button type="button" onClick={() => void get()}>
        <Icon name="download" /> {words.value.receipt}
      </button>
      {problem.value === null ? null : (
        <output class="outcome outcome-bad">
          <Refused of={problem.value} />
        </output>
      )}
    </>
  );
}
