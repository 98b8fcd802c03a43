import { type ComponentChildren, Fragment, type VNode } from "preact";

const isThere = (part: ComponentChildren) => part !== null && part !== undefined && part !== "";

/** The parts of a line, with dots between them. Empty parts are left out. */
export function Dotted({ of }: { of: readonly ComponentChildren[] }) {
  return of.filter(isThere).map((part, index) => (
    <Fragment key={index}>
      {index === 0 ? "" : " · "}
      {part}
    </Fragment>
  ));
}

interface ItemsProps<One> {
  readonly of: readonly One[];
  /** The content when there are no items: a hint, or more than that. */
  readonly none: string | VNode;
  readonly class?: string;
  readonly label?: string;
  /** `ol` if their order has a meaning. */
  readonly as?: "ol" | "ul";
  /** The `li` of one item. */
  readonly children: (one: One) => ComponentChildren;
}

/** A list without marks, or its replacement when it is empty. */
export function Items<One>({ of, none, class: own, label, as: List = "ul", children }: ItemsProps<One>) {
  if (of.length === 0) return typeof none === "string" ? <p class="hint">{none}</p> : none;
  return (
    <List class={own === undefined ? "stack plain" : `stack plain ${own}`} aria-label={label}>
      {of.map(children)}
    </List>
  );
}
