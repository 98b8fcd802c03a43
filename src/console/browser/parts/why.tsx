import { CallFailed } from "../api/call.js";
import { shared } from "./words.js";

/** Why something failed. What the service says is English in both languages; the page has its own words where no answer came. */
export function Why({ of }: { of: unknown }) {
  if (!(of instanceof CallFailed)) return of instanceof Error ? of.message : String(of);
  return of.code === "unreachable" ? shared.value.unreachable : <span lang="en">{of.message}</span>;
}

/** The outcome of an action that the service refused. */
export function Refused({ of }: { of: unknown }) {
  return (
    <>
      {shared.value.refused} <Why of={of} />
    </>
  );
}
