import { useLocation } from "preact-iso/router";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { CallFailed } from "../api/call.js";
import { readAgain } from "../api/live.js";
import type { Loaded } from "../api/use-call.js";
import { book } from "../state/book.js";
import { Icon } from "./icon.js";
import { useListAddress } from "./list-address.js";
import { Skeleton } from "./skeleton.js";
import { shared } from "./words.js";

/** The reason of a failure. The service's texts are English; without an answer, the page has its own words. */
export function Why({ of }: { of: unknown }) {
  if (!(of instanceof CallFailed)) return reasonOf(of);
  return of.code === "unreachable" ? shared.value.unreachable : <span lang="en">{of.message}</span>;
}

/** Shown instead of an object that is not in the account and mode of the page: a link back to its list. */
export function NotHere() {
  const { path } = useLocation();
  const address = useListAddress();
  const list = path.split("/").slice(0, 3).join("/");
  return (
    <div class="stack empty">
      <p>{shared.value.not_here[book.value.mode]}</p>
      <a class="button" href={address(list)}>
        <Icon name="chevron-left" /> {shared.value.back}
      </a>
    </div>
  );
}

export function TryAgain({ run }: { run: () => void }) {
  return (
    <button type="button" class="small" onClick={run}>
      <Icon name="refresh" /> {shared.value.retry}
    </button>
  );
}

/**
 * A failed reading: the answer's status and text, and a button that tries again. Nothing without a connection or a
 * session: the band at the top says so, and its button reads everything again.
 */
export function Problem({ of, retry }: { of: CallFailed; retry: () => void }) {
  if (of.status === 404) return <NotHere />;
  return of.isOfConnection ? null : <ProblemLine of={of} retry={retry} />;
}

export function ProblemLine({ of, retry }: { of: CallFailed; retry: () => void }) {
  return (
    <p class="flow outcome outcome-bad problem-line">
      <span>
        {of.status === 0 ? null : <b>{of.status} </b>}
        <Why of={of} />
      </span>
      <TryAgain run={retry} />
    </p>
  );
}

/** Shown once for all readings of a page that failed, with a button that reads them again; nothing when none did. */
export function Unread({ of }: { of: readonly Loaded<unknown>[] }) {
  const failed = of.filter(({ data, error }) => data === null && error?.isOfConnection === false);
  const retry = () => {
    for (const one of failed) one.retry();
    // Parts of the frame may have failed too, such as the clock.
    readAgain();
  };
  const error = failed[0]?.error ?? null;
  return error === null ? null : <Problem of={error} retry={retry} />;
}

/** Shown instead of a part of a page until all its readings have arrived: that they load, or one failure. */
export function NotRead({ of }: { of: readonly Loaded<unknown>[] }) {
  const hasFailed = of.some(({ data, error }) => data === null && error?.isOfConnection === false);
  return hasFailed ? <Unread of={of} /> : <Skeleton />;
}

/** The outcome of an action that the service refused. */
export function Refused({ of }: { of: unknown }) {
  return (
    <>
      {shared.value.refused} <Why of={of} />
    </>
  );
}
