import { type ComponentChildren, Fragment } from "preact";

const isThere = (part: ComponentChildren) => part !== null && part !== undefined && part !== "";

/** What a line says, with dots between its parts. A part that is empty is left out. */
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
  /** What to say without any. */
  readonly none: string;
  readonly class?: string;
  /** `ol` where their order means something. */
  readonly as?: "ol" | "ul";
  /** The `li` of one of them. */
  readonly children: (one: One) => ComponentChildren;
}

/** A list without marks, or a hint in its place. */
export function Items<One>({ of, none, class: own, as: List = "ul", children }: ItemsProps<One>) {
  if (of.length === 0) return <p class="hint">{none}</p>;
  return <List class={own === undefined ? "plain" : `plain ${own}`}>{of.map(children)}</List>;
}
