import { reasonOf } from "../../../../base/kernel/reason.js";
import { CallFailed } from "../api/call.js";
import { Icon } from "./icon.js";
import { shared } from "./words.js";

/** Why something failed. What the service says is English in both languages; the page has its own words where no answer came. */
export function Why({ of }: { of: unknown }) {
  if (!(of instanceof CallFailed)) return reasonOf(of);
  return of.code === "unreachable" ? shared.value.unreachable : <span lang="en">{of.message}</span>;
}

/** In place of what could not be read: the answer's status and text, and a button that asks once more. */
export function Problem({ of, retry }: { of: CallFailed; retry: () => void }) {
  return (
    <p class="outcome outcome-bad problem-line">
      <span>
        {of.status === 0 ? null : <b>{of.status} </b>}
        {of.status === 404 ? shared.value.not_found : <Why of={of} />}
      </span>
      <button type="button" class="small" onClick={retry}>
        <Icon name="refresh" /> {shared.value.retry}
      </button>
    </p>
  );
}

/** The outcome of an action that the service refused. */
export function Refused({ of }: { of: unknown }) {
  return (
    <>
      {shared.value.refused} <Why of={of} />
    </>
  );
}
