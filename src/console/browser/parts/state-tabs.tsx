import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { terms } from "../state/language.js";
import { codeName } from "./codes.js";
import { useAddressWith } from "./list-address.js";
import { IsBeside } from "./split.js";
import { shared } from "./words.js";

interface StateTabsProps {
  readonly states: readonly string[];
  /** How many objects are in each state; null while it is not read yet. Left out for a list that counts nothing. */
  readonly counts?: Readonly<Record<string, number>> | null;
  /** Whether other filters hold that the counts do not know. Then the tabs have no numbers. */
  readonly isNarrowed?: boolean;
}

/**
 * The states of a list as tabs: all, and each state that something is in. The state is the filter `status` of the address. A list
 * that counts nothing has a tab for every state.
 */
export function StateTabs({ states, counts, isNarrowed = false }: StateTabsProps) {
  const { status = "" } = useLocation().query;
  const address = useAddressWith();
  if (useContext(IsBeside)) return null;
  const countOf = (state: string) => counts?.[state] ?? 0;
  const hasNumbers = counts !== undefined && counts !== null && !isNarrowed;
  const shown = states.filter((state) => counts === undefined || state === status || countOf(state) > 0);
  const tab = (state: string, name: string, count: number) => (
    <a key={state} href={address({ status: state })} aria-current={state === status ? "page" : undefined}>
      {name} {hasNumbers ? <span class="count">{count}</span> : null}
    </a>
  );
  return (
    <nav class="tabs state-tabs" aria-label={shared.value.states}>
      {tab(
        "",
        terms.value.all,
        states.reduce((sum, state) => sum + countOf(state), 0),
      )}
      {shown.map((state) => tab(state, codeName(state), countOf(state)))}
    </nav>
  );
}
