import { useSignal } from "@preact/signals";
import { Section } from "../../parts/page.js";
import { learnClock } from "../../state/clock.js";
import type { Advanced, Due } from "../../words/due-work.js";
import { DueList, Ran } from "../clock/jump.js";

interface DueWorkProps {
  readonly title: string;
  readonly entries: readonly Due[];
  /** Everything that is due, if the entries are only a part of it: a jump runs all of it. */
  readonly all?: readonly Due[];
  /** The text when nothing is due. */
  readonly none: string;
}

/** Work that becomes due, with a jump of the clock to each instant, and the results of the last jump. */
export function DueWork({ title, entries, all, none }: DueWorkProps) {
  const ran = useSignal<Advanced | null>(null);
  const onRan = (answer: Advanced) => {
    learnClock(answer);
    ran.value = answer;
  };
  return (
    <Section title={title}>
      {entries.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <DueList entries={entries} all={all} caption={title} onRan={onRan} />
      )}
      {ran.value === null ? null : <Ran answer={ran.value} />}
    </Section>
  );
}
