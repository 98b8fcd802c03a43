import type { ComponentChildren } from "preact";
import type { OperationAnswer, OperationId } from "../../../../api/client/types.js";
import { formatMoney } from "../../../../base/kernel/money.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import type { AnyInput, ViewInput } from "../api/input.js";
import type { Message } from "../api/live.js";
import { isSettled, useCall } from "../api/use-call.js";
import { routes } from "../facts/routes.js";
import { Actions } from "../parts/action.js";
import { Cause, useWhy } from "../parts/cause.js";
import { type Move, Simulate } from "../parts/moves.js";
import { Facts, Page, Section, Show, titleWithout } from "../parts/page.js";
import { Status } from "../parts/values.js";
import { NotHere } from "../parts/why.js";
import { shared } from "../parts/words.js";
import { type MenuName, menuWords } from "../shell/menu.js";
import { terms, texts } from "../state/language.js";
import { CaseFile } from "../timeline/case-file-actions.js";
import { Timeline, useTimeline } from "../timeline/timeline.js";
import { factsOf, type Shown } from "./known-fields.js";

/** The page of an object, from its declaration: its head, actions, facts, and its timeline or a view of its own. */

const names = texts("objects");

/** The default content of a page's head. */
interface MoneyObject {
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
}

/** The operation whose command shows the same as a page. */
export interface ViewCommand {
  readonly id: OperationId;
  readonly input: AnyInput;
}

export interface ObjectSpec<Id extends OperationId, One> {
  readonly get: Id;
  /** The object in the answer, if it is not the answer itself; null when it is missing. */
  readonly pick?: (answer: OperationAnswer<Id>, id: string) => One | null;
  /** The view of the page that lists it, if it is not the first one. */
  readonly listView?: string;
  /** The messages after which it is read again: their kinds, or a test of each. */
  readonly on?: readonly string[] | ((message: Message, id: string) => boolean);
  /** True if all other data of the page is read: nothing moves when it is shown. */
  readonly isRead?: (id: string, one: NoInfer<One> | null) => boolean;
  /** The most useful fact; its amount when left out. */
  readonly title?: (one: NoInfer<One>) => string;
  /** Its state, beside the title. */
  readonly state?: (one: NoInfer<One>) => ComponentChildren;
  /** Customer, subject and time, in one line. */
  readonly line?: (one: NoInfer<One>) => ComponentChildren;
  /** True if its head explains its state. */
  readonly hasCause?: true;
  /** Further facts: at its side, or below a view of its own. */
  readonly facts?: readonly Shown<NoInfer<One>>[];
  /** The main actions, in the head. */
  readonly actions?: (one: NoInfer<One>, again: () => void) => readonly Move[];
  /** Actions of the emulator alone. */
  readonly moves?: (one: NoInfer<One>) => readonly Move[];
  /** The content at the side, for an object with a view of its own. */
  readonly side?: (one: NoInfer<One>) => ComponentChildren;
  /** The content of the page; the timeline of the object when left out. */
  readonly view?: (one: NoInfer<One>, again: () => void) => ComponentChildren;
  /** The command of the view, if it is neither the timeline nor the operation that is read. */
  readonly command?: (one: NoInfer<One> | null) => ViewCommand;
}

/** The same in a page's declaration, which checks the input of one known operation. */
export type PageCommand = { readonly id: OperationId; readonly input: ViewInput<OperationId> };

/** The input that reads one object: its id is the one parameter of the path, or it is found in a list. */
function inputOf(operation: string, id: string): AnyInput {
  const [, name] = /\{(\w+)\}/.exec(routes[operation]?.path ?? "") ?? [];
  return name === undefined ? {} : { params: { [name]: id } };
}

function Side<Id extends OperationId, One>({ name, id, of, one }: PartProps<Id, One>) {
  const { moves, facts = [] } = of;
  const timeline = useTimeline(id).state.value.data;
  const title: string = isNameOf(names.value, name) ? names.value[name] : name;
  return (
    <>
      {moves === undefined ? null : <Simulate of={moves(one)} />}
      <Section title={terms.value.details}>
        <Facts of={factsOf(one, facts)} />
      </Section>
      {timeline === null ? null : (
        <CaseFile timeline={timeline} head={one as MoneyObject} objects={[{ title, value: one }]} />
      )}
    </>
  );
}

interface ObjectPageProps<Id extends OperationId, One> {
  readonly name: MenuName;
  readonly id: string;
  readonly of: ObjectSpec<Id, One>;
}

interface PartProps<Id extends OperationId, One> extends ObjectPageProps<Id, One> {
  readonly one: One;
}

/** The frame around the content of an existing object. */
function partsOf<Id extends OperationId, One>({ one, ...props }: PartProps<Id, One>, again: () => void) {
  const { title, state, line, actions, side, view } = props.of;
  // An event has no state.
  const { amount = 0, currency = "BRL", status } = one as Partial<MoneyObject>;
  return {
    title: title === undefined ? formatMoney(amount, currency) : title(one),
    facts: state === undefined ? status && <Status status={status} /> : state(one),
    line: line?.(one),
    actions: actions === undefined ? undefined : <Actions>{actions(one, again)}</Actions>,
    side: view === undefined ? <Side {...props} one={one} /> : side?.(one),
  };
}

export function ObjectPage<Id extends OperationId, One>({ name, id, of }: ObjectPageProps<Id, One>) {
  const { get, on = [], facts = [], view, command, hasCause = false, listView } = of;
  const input = inputOf(get, id);
  const hears = typeof on === "function" ? (message: Message) => on(message, id) : on;
  const { state, reload } = useCall(get, input as ViewInput<Id>, { on: hears });
  const { data } = state.value;
  const found = data === null || of.pick === undefined ? (data as One | null) : of.pick(data, id);
  // An answer without the object says so.
  const isMissing = data !== null && found === null;
  const why = useWhy(id, data, hasCause).value;
  const timeline = useTimeline(id, view === undefined).state.value;
  const isWhole =
    (of.isRead?.(id, found) ?? true) && (!hasCause || isSettled(why)) && (view !== undefined || isSettled(timeline));
  const one = isWhole ? found : null;
  const shows = view === undefined ? { id: "sandbox.timeline", input: { params: { id } } } : { id: get, input };
  return (
    <Page
      title={isMissing ? shared.value.not_found : titleWithout(id, state.value)}
      // A number is a part of the title.
      {...(/^\d+$/.test(id) ? {} : { id })}
      above={{
        href: `/console/${name}${listView === undefined ? "" : `?view=${listView}`}`,
        title: menuWords.value[name],
      }}
      command={(command?.(one) ?? shows) as PageCommand}
      {...(one === null ? {} : partsOf({ name, id, of, one }, reload))}
      {...(why.data === null ? {} : { cause: <Cause of={why.data} /> })}
    >
      {isMissing ? <NotHere /> : null}
      {one === null && !isMissing ? <Show of={state.value}>{() => null}</Show> : null}
      {one === null || view !== undefined ? null : <Timeline id={id} />}
      {one === null || view === undefined ? null : (
        <>
          {view(one, reload)}
          {facts.length === 0 ? null : (
            <Section title={terms.value.details}>
              <Facts of={factsOf(one, facts)} />
            </Section>
          )}
        </>
      )}
    </Page>
  );
}
