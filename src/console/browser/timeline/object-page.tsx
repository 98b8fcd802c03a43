import type { ComponentChildren } from "preact";
import { formatMoney } from "../../../kernel/money.js";
import type { Loaded } from "../api/use-call.js";
import { type Move, Simulate } from "../parts/moves.js";
import { Facts, Page, Section, Show } from "../parts/page.js";
import { Status } from "../parts/values.js";
import { terms } from "../state/language.js";
import { CaseFile } from "./case-file-actions.js";
import { TimelineView, useTimeline } from "./timeline.js";

interface MoneyObject {
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
}

interface ObjectPageProps<One extends MoneyObject> {
  readonly id: string;
  readonly above: { readonly href: string; readonly title: string };
  readonly of: Loaded<One>;
  /** What the object is called in its case file. */
  readonly name: string;
  readonly line: (one: One) => ComponentChildren;
  readonly facts: (one: One) => Parameters<typeof Facts>[0]["of"];
  readonly moves: (one: One) => readonly Move[];
}

/** The page of an object that is an amount with a state: its timeline at once, and beside it what can be simulated and its facts. */
export function ObjectPage<One extends MoneyObject>({ id, above, of, name, line, facts, moves }: ObjectPageProps<One>) {
  const timeline = useTimeline(id);
  const one = of.data;
  const page = { id, above, command: { id: "sandbox.timeline", input: { params: { id } } } } as const;
  if (one === null) {
    return (
      <Page {...page} title={id}>
        <Show of={of}>{() => null}</Show>
      </Page>
    );
  }
  const told = timeline.state.value.data;
  return (
    <Page
      {...page}
      title={formatMoney(one.amount, one.currency)}
      facts={<Status status={one.status} />}
      line={line(one)}
      side={
        <>
          <Simulate of={moves(one)} />
          <Section title={terms.value.details}>
            <Facts of={facts(one)} />
          </Section>
          {told === null ? null : <CaseFile timeline={told} head={one} objects={[{ title: name, value: one }]} />}
        </>
      }
    >
      <Show of={timeline.state.value}>{(shown) => <TimelineView timeline={shown} />}</Show>
    </Page>
  );
}
