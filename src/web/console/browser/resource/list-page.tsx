import type { ComponentChildren } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer, OperationId } from "../../../../api/client/types.js";
import { fill } from "../../../../base/kernel/message.js";
import { pick } from "../../../../base/kernel/pick.js";
import type { ViewInput } from "../api/input.js";
import { MOST_ROWS, type Sum } from "../api/list-reader.js";
import { type LiveList, noteTotal, useList } from "../api/use-list.js";
import { Actions } from "../parts/action.js";
import { codeName } from "../parts/codes.js";
import { Copy } from "../parts/copy.js";
import { Empty, type FirstCall } from "../parts/empty.js";
import type { FilterSpec } from "../parts/filters.js";
import { ListFrame } from "../parts/list.js";
import { useAddressWith, useListAddress } from "../parts/list-address.js";
import type { Move } from "../parts/moves.js";
import { Page } from "../parts/page.js";
import { Skeleton } from "../parts/skeleton.js";
import { IsBeside } from "../parts/split.js";
import { Table } from "../parts/table.js";
import { IdText } from "../parts/values.js";
import { shared } from "../parts/words.js";
import { type MenuName, menuWords } from "../shell/menu.js";
import { texts } from "../state/language.js";
import { columnsOf, type Shown } from "./known-fields.js";
import { choicesOf, type Filter, filtersOf, hasField, listQuery, type WholeFilter } from "./list-query.js";

import type { PageCommand, ViewCommand } from "./object-page.js";

/** The page of a list, from its declaration. */

const emptyWords = texts("empty");
const allWords = texts("all_states");

export type RowOf<Id extends OperationId> =
  OperationAnswer<Id> extends { readonly data: readonly (infer Row)[] } ? Row : never;

type Query = Readonly<Record<string, string>>;
type Counts = Readonly<Record<string, number>>;

/** A part above the rows. The page waits for it at first, so that nothing moves when it arrives. */
interface Above {
  readonly content: ComponentChildren;
  readonly isRead: boolean;
}

export interface ListSpec<Id extends OperationId> {
  readonly id: Id;
  /** The kinds of messages that can change the list. */
  readonly on: readonly string[];
  readonly columns: readonly Shown<RowOf<Id>>[];
  /** The key of a row; its `id` when left out. */
  readonly keyOf?: (row: RowOf<Id>) => string;
  /** The id of a row on its page; its key when left out. */
  readonly idOf?: (row: RowOf<Id>) => string;
  /** The filters. A function may read their choices. */
  readonly filters?: readonly Filter<Id>[] | (() => readonly Filter<Id>[]);
  /** States as tabs: `counted` if the answer has their numbers; a function reads them from elsewhere. */
  readonly tabs?: "plain" | "counted" | (() => Counts | null);
  /** States that share the tab of the first one, and the query that lists all of them. */
  readonly together?: { readonly states: readonly string[]; readonly query: Query };
  /** Further parameters of the query. */
  readonly query?: Query;
  /** What creates the first row, or all that replaces an empty list. */
  readonly empty: string | FirstCall | (() => ComponentChildren);
  /** Buttons in the head of the page. `again` reads the list once more. */
  readonly actions?: (again: () => void) => readonly Move[];
  /** A part of the page's head instead of tabs. */
  readonly head?: () => ComponentChildren;
  /** Other views of the same page, in its head before the tabs. */
  readonly views?: () => ComponentChildren;
  /** The name of the file with its rows; that of the page when left out. */
  readonly file?: string;
  /** A part at the end of the page's head, before its buttons. */
  readonly end?: (query: Query) => ComponentChildren;
  /** What the list adds up to. */
  readonly sum?: (sums: readonly Sum[], query: Query) => ComponentChildren;
  /** True if a row needs no id in a narrow table, because people know it by something else. */
  readonly hidesId?: boolean;
  readonly above?: (address: Query, query: Query) => Above | null;
  /** Another view of the rows; null for the table. */
  readonly view?: (list: LiveList<RowOf<Id>>, address: Query) => ComponentChildren | null;
  /** The command of the view, if another operation shows the same. */
  readonly command?: (query: Query) => ViewCommand | null;
}

function useRows<Id extends OperationId>({ id, on, keyOf }: ListSpec<Id>, query: Query): LiveList<RowOf<Id>> {
  type Answer = {
    readonly data: readonly RowOf<Id>[];
    readonly counts?: Counts;
    readonly paid?: readonly Sum[];
  };
  const cursor = hasField(id, "starting_after") ? "starting_after" : "after";
  const known = (answer: unknown) => answer as Answer;
  return useList<Id, RowOf<Id>>(id, { query } as unknown as ViewInput<Id>, {
    rows: (answer) => known(answer).data,
    key: keyOf ?? ((row) => String(pick(row, "id"))),
    more: (answer) => {
      const next = pick(answer, "next_cursor");
      return typeof next === "string" ? { [cursor]: next } : null;
    },
    counts: (answer) => known(answer).counts ?? {},
    sums: (answer) => known(answer).paid ?? null,
    on,
  });
}

/** The counts of an answer follow its dates and its state, and no other filter. */
const isNarrowed = (filters: readonly WholeFilter[], query: Query) =>
  filters.some(({ field, spec }) => spec.kind !== "date" && field !== "status" && query[field] !== undefined);

const STATUS: WholeFilter = { field: "status", spec: { name: "status", label: "" } };

/** A tab for one state, or for several that people see as one. */
interface StateTab {
  readonly state: string;
  readonly all: readonly string[];
}

function tabsOf<Id extends OperationId>({ id, together }: ListSpec<Id>): readonly StateTab[] {
  const [first, ...others] = together?.states ?? [];
  return choicesOf(id, "status")
    .filter((state) => !others.includes(state))
    .map((state) => ({ state, all: state === first ? [state, ...others] : [state] }));
}

/** The query of the operation: the states of a shared tab have one of their own. */
function askedOf<Id extends OperationId>({ query, together }: ListSpec<Id>, { status, ...own }: Query): Query {
  const given = { ...query, ...own };
  if (status === undefined) return given;
  return together?.states.includes(status) === true ? { ...given, ...together.query } : { ...given, status };
}

const countIn = ({ all }: StateTab, counts: Counts) => all.reduce((sum, state) => sum + (counts[state] ?? 0), 0);

interface TabsProps {
  readonly name: MenuName;
  readonly tabs: readonly StateTab[];
  /** The number of objects in each state; null until it is read. Left out for a list without counts. */
  readonly counts?: Counts | null;
  /** True if other filters are set, which the counts ignore. The tabs then have no numbers. */
  readonly isNarrowed: boolean;
}

/**
 * The states of a list as tabs: all, and each state that is in use. The state is the filter `status` of the address. A
 * list without counts has a tab for every state.
 */
function StateTabs({ name: list, tabs, counts, isNarrowed }: TabsProps) {
  const { status = "" } = useLocation().query;
  const address = useAddressWith();
  const words: Readonly<Record<string, string>> = allWords.value;
  const countOf = (tab: StateTab) => countIn(tab, counts ?? {});
  const hasNumbers = counts !== undefined && counts !== null && !isNarrowed;
  const whole = { state: "", all: tabs.flatMap(({ all }) => all) };
  const isOpen = ({ state, all }: StateTab) => (status === "" ? state === "" : state !== "" && all.includes(status));
  const shown = tabs.filter((tab) => counts === undefined || isOpen(tab) || countOf(tab) > 0);
  return (
    <nav class="flow tabs state-tabs" aria-label={shared.value.states}>
      {[whole, ...shown].map((tab) => (
        <a key={tab.state} href={address({ status: tab.state })} aria-current={isOpen(tab) ? "page" : undefined}>
          {tab.state === "" ? (words[list] ?? allWords.value.other) : codeName(tab.state)}{" "}
          {hasNumbers ? <span class="count">{countOf(tab)}</span> : null}
        </a>
      ))}
    </nav>
  );
}

interface ListPageProps<Id extends OperationId> {
  readonly name: MenuName;
  readonly of: ListSpec<Id>;
  /** The id of the object whose page is open beside the list. */
  readonly open: string | undefined;
}

export function ListPage<Id extends OperationId>({ name, of, open }: ListPageProps<Id>) {
  const { query: address } = useLocation();
  const isBeside = useContext(IsBeside);
  const given = typeof of.filters === "function" ? of.filters() : (of.filters ?? []);
  const filters = filtersOf(of.id, given);
  const own = listQuery(of.tabs === undefined ? filters : [STATUS, ...filters], address);
  const query = askedOf(of, own);
  const list = useRows(of, query);
  const { rows, error, isLoading } = list.state.value;
  const counts = typeof of.tabs === "function" ? of.tabs() : list.state.value.counts;
  const above = of.above?.(address, own);
  const isRead = useRef(false);
  isRead.current ||= above?.isRead ?? true;
  const moves = isBeside ? [] : (of.actions?.(list.state.value.retry) ?? []);
  const fields = filters.map(({ spec }) => spec);
  const isFiltered = Object.keys(own).length > 0;
  // A list that could not be read shows its failure, and has its button in the head.
  const isEmpty = rows.length === 0 && !isFiltered && !isLoading && error === null;
  const place = useRef<HTMLSpanElement>(null);
  const press = () => place.current?.querySelector<HTMLElement>(".action > button")?.click();
  const isCounted = of.tabs !== undefined && of.tabs !== "plain";
  const isPart = isNarrowed(filters, own);
  const states = of.tabs === undefined ? [] : tabsOf(of);
  const shown = states.filter(({ all }) => own.status === undefined || all.includes(own.status));
  const total =
    isCounted && !isPart && counts !== null ? shown.reduce((sum, tab) => sum + countIn(tab, counts), 0) : null;
  useEffect(() => noteTotal(of.id, total), [of.id, total]);
  const tabs = of.tabs && (
    <StateTabs name={name} tabs={states} {...(isCounted ? { counts } : {})} isNarrowed={isPart} />
  );
  const head = of.head?.() ?? tabs;
  return (
    <Page
      title={menuWords.value[name]}
      command={(of.command?.(query) ?? { id: of.id, input: { query } }) as PageCommand}
      {...(isBeside ? {} : { views: of.views?.(), facts: isEmpty ? undefined : head })}
      actions={
        isBeside ? undefined : (
          <>
            {of.end?.(own)}
            {/* The button of an empty list stands in the list, and presses the hidden one here: a dialog that is open stays when rows arrive. */}
            <span ref={place} class={isEmpty ? "behind-empty" : "action-place"}>
              {moves.length === 0 ? null : <Actions>{moves}</Actions>}
            </span>
          </>
        )
      }
    >
      {isRead.current ? (
        <>
          {isBeside ? null : above?.content}
          <Rows
            name={name}
            of={of}
            list={list}
            filters={fields}
            isFiltered={isFiltered}
            sum={isBeside ? null : of.sum?.(list.state.value.sums ?? [], own)}
            open={open}
            button={moves[0] === undefined ? undefined : { label: moves[0].props.label, press }}
          />
        </>
      ) : (
        <Skeleton />
      )}
      {rows.length >= MOST_ROWS ? <p class="hint">{fill(shared.value.most_rows, { count: MOST_ROWS })}</p> : null}
    </Page>
  );
}

/** A number can be read and typed. */
const hasCopy = (id: string) => !/^\d+$/.test(id);

interface RowsProps<Id extends OperationId> extends ListPageProps<Id> {
  readonly list: LiveList<RowOf<Id>>;
  readonly filters: readonly FilterSpec[];
  readonly isFiltered: boolean;
  readonly sum: ComponentChildren;
  readonly button: { readonly label: string; readonly press: () => void } | undefined;
}

function Rows<Id extends OperationId>(props: RowsProps<Id>) {
  const { name, of, list, filters, isFiltered, sum, open, button } = props;
  const { query: address } = useLocation();
  const rowAddress = useListAddress();
  const { empty } = of;
  const idOf = of.idOf ?? list.key;
  const teaches: Readonly<Record<string, string>> = emptyWords.value;
  const teach = () =>
    typeof empty === "function" ? empty() : <Empty text={teaches[name] ?? ""} command={empty} button={button} />;
  const frame = { list, filters, isFiltered, sum, csv: of.file ?? name, empty: teach() };
  const view = of.view?.(list, address) ?? null;
  const isOpen = (row: RowOf<Id>) => open !== undefined && (open === list.key(row) || open === idOf(row));
  const idCell = (row: RowOf<Id>) => (
    <>
      <a class="row" href={rowAddress(`/console/${name}/${idOf(row)}`)} aria-current={isOpen(row) ? "true" : undefined}>
        <IdText id={idOf(row)} />
      </a>
      {hasCopy(idOf(row)) ? <Copy text={idOf(row)} label="" about={shared.value.copy_id} /> : null}
    </>
  );
  return (
    <ListFrame {...frame}>
      {view ?? (
        <Table
          label={menuWords.value[name]}
          kind="cards"
          rows={list.state.value.rows}
          keyOf={list.key}
          isOpen={isOpen}
          columns={[
            ...columnsOf(of.columns),
            // The id is the link of its row.
            {
              head: shared.value.id,
              cell: idCell,
              isHead: true,
              class: of.hidesId === true ? "row-id id-hidden" : "row-id",
            },
          ]}
        />
      )}
    </ListFrame>
  );
}
