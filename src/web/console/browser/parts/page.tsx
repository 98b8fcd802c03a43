import { type ComponentChildren, Fragment } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import type { OperationId } from "../../../../api/client/types.js";
import { namesOf } from "../../../../base/kernel/names.js";
import type { ViewInput } from "../api/input.js";
import type { Loaded } from "../api/use-call.js";
import { useViewCommand } from "../state/command.js";
import { terms } from "../state/language.js";
import { Copy } from "./copy.js";
import { Icon } from "./icon.js";
import { useAddressWith, useListAddress } from "./list-address.js";
import { NeighbourLinks } from "./neighbours.js";
import { IsBeside } from "./split.js";
import { NotRead } from "./why.js";
import { shared } from "./words.js";

interface PageProps<Id extends OperationId> {
  /** The name of the page; of an object, its most useful fact, such as its amount. */
  readonly title: string;
  /** The operation whose command shows the same as this view. */
  readonly command: { readonly id: Id; readonly input: ViewInput<Id> };
  /** The id of the object: it stands above the title, with a button that copies it. */
  readonly id?: string;
  /** The other views of the page, beside the title. */
  readonly views?: ComponentChildren;
  /** The state of an object, beside the title. */
  readonly facts?: ComponentChildren;
  /** One line with customer, subject and time. */
  readonly line?: ComponentChildren;
  /** The sentence with the problem and the remedy. */
  readonly cause?: ComponentChildren;
  /** The main actions, at the end of the head. */
  readonly actions?: ComponentChildren;
  /** The content at the side on a wide screen, and below on a narrow one. */
  readonly side?: ComponentChildren;
  /** The list that this page belongs to. */
  readonly above?: { readonly href: string; readonly title: string };
  readonly children: ComponentChildren;
}

/** A longer title, such as an address, is no larger than that of a list: on a phone it would break inside a word. */
const LONG_TITLE = 24;

/** An address breaks after a slash of its path, and not inside a word. */
export const withBreaks = (title: string) =>
  title.split(/(?<=[^:/]\/)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

/** The path of the page that was shown last; null before the first one. */
let shownPath: string | null = null;

/**
 * Moves the focus to the heading of a new page, so that a screen reader begins there. It also does so for a page drawn
 * anew at the same path, where the focused element is gone. The first page leaves the focus to the browser.
 */
function useFocusOnHeading(isBeside: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The path for which this page was created: the window may already have another one, whose page is loading.
  const { path } = useRoute();
  useLayoutEffect(() => {
    if (isBeside) return;
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.closest("main") === null;
    const isNew = shownPath !== path;
    if (shownPath !== null && (isNew || isLost)) heading.current?.focus({ preventScroll: true });
    if (shownPath !== null && isNew) window.scrollTo(0, 0);
    shownPath = path;
  }, [path, isBeside]);
  return heading;
}

/**
 * A page with its one heading of the first level. It names the page in the title of the window and in the command
 * strip. Both change together with the page before painting: nobody sees the name or command of the previous page.
 */
export function Page<Id extends OperationId>(props: PageProps<Id>) {
  const { title, command, id, views, facts, line, cause, actions, side, above, children } = props;
  const isBeside = useContext(IsBeside);
  const address = useListAddress();
  useViewCommand(command.id, command.input, !isBeside);
  useLayoutEffect(() => {
    if (!isBeside) document.title = `${id === undefined || id === title ? title : `${title} · ${id}`} · qa-pay`;
  }, [title, id, isBeside]);
  const heading = useFocusOnHeading(isBeside);
  // The id stands above it already.
  const isUnread = title === id;
  return (
    <article class="stack page">
      <header class="flow page-head">
        {above === undefined ? null : (
          <p class="level above">
            <a href={address(above.href)}>{above.title}</a>
            {id === undefined ? null : (
              <>
                <Icon name="chevron-right" />
                <code class="cut whole-id">{id}</code> <Copy text={id} label="" about={shared.value.copy_id} />
                <NeighbourLinks id={id} />
              </>
            )}
          </p>
        )}
        {isBeside ? (
          <h2>{title}</h2>
        ) : (
          <h1
            ref={heading}
            tabIndex={-1}
            class={isUnread || (id !== undefined && title.length <= LONG_TITLE) ? "object-title" : undefined}
            data-unread={isUnread ? "" : undefined}
          >
            {withBreaks(title)}
          </h1>
        )}
        {views}
        {facts === undefined ? null : <div class="flow facts">{facts}</div>}
        {actions === undefined ? null : <div class="head-actions">{actions}</div>}
        {line === undefined ? null : <p class="line">{line}</p>}
        {cause}
      </header>
      {side === undefined ? (
        children
      ) : (
        <div class="stack columns">
          <div class="stack main-column">{children}</div>
          <aside class="stack side-column" aria-label={terms.value.details}>
            {side}
          </aside>
        </div>
      )}
    </article>
  );
}

/** A part of a page with its heading. */
export function Section({
  title,
  children,
  end,
  kind,
}: {
  title: string;
  children: ComponentChildren;
  end?: ComponentChildren;
  /** `simulate` for actions of the emulator alone. */
  kind?: "simulate";
}) {
  return (
    <section class={kind === undefined ? "stack sheet section" : `stack sheet section ${kind} own`}>
      <div class="flow section-head">
        <h2>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  );
}

/** Shows data when it has arrived; before, that it is loading or why it cannot be read. */
export function Show<Data>({ of, children }: { of: Loaded<Data>; children: (data: Data) => ComponentChildren }) {
  return of.data === null ? <NotRead of={[of]} /> : <>{children(of.data)}</>;
}

/** The title of an object's page while the object is not shown. */
export function titleWithout(id: string, { error }: Pick<Loaded<unknown>, "error">) {
  if (error === null || error.isOfConnection) return id;
  return error.status === 404 ? shared.value.not_found : shared.value.not_read;
}

/** Facts about an object as a list of names and values. A value that is null is left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="fact-list">
      {of.map(([name, value]) =>
        value === null || value === undefined || value === "" ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface TabsProps<Name extends string> {
  /** The content of each tab by its name, which is the value of `tab` in the address. The first one needs no value. */
  readonly of: Readonly<Record<Name, () => ComponentChildren>>;
  readonly names: Readonly<Record<NoInfer<Name>, string>>;
}

/** Views of one object as links, so that each has an address. */
export function Tabs<Name extends string>({ of, names }: TabsProps<Name>) {
  const tab = useLocation().query.tab ?? "";
  const address = useAddressWith();
  const all = namesOf(of);
  const open = all.find((name) => name === tab) ?? all[0];
  return (
    <>
      <nav class="flow tabs">
        {all.map((name, index) => (
          <a
            key={name}
            href={address({ tab: index === 0 ? "" : name })}
            aria-current={name === open ? "page" : undefined}
          >
            {names[name]}
          </a>
        ))}
      </nav>
      {open === undefined ? null : of[open]()}
    </>
  );
}
