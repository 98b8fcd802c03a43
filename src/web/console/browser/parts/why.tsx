import { reasonOf } from "../../../../base/kernel/reason.js";
import { CallFailed } from "../api/call.js";
import { Icon } from "./icon.js";
import { shared } from "./words.js";

/** The reason of a failure. The service's texts are English; without an answer, the page has its own words. */
export function Why({ of }: { of: unknown }) {
  if (!(of instanceof CallFailed)) return reasonOf(of);
  return of.code === "unreachable" ? shared.value.unreachable : <span lang="en">{of.message}</span>;
}

/** Shown instead of data that could not be read: the answer's status and text, and a button that tries again. */
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
