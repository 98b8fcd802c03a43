import { useSignal } from "@preact/signals";
import { Page, Section, Show, Skeleton } from "../../parts/page.js";
import { menuWords } from "../../shell/menu.js";
import { learnClock } from "../../state/clock.js";
import { texts } from "../../state/language.js";
import type { Advanced } from "../../words/due-work.js";
import { DueList, Ran } from "../clock/jump.js";
import { Attention } from "./attention.js";
import { Feed } from "./feed.js";
import { Days, Headline } from "./money.js";
import { type Readings, useReadings } from "./readings.js";
import { GettingStarted } from "./started.js";

/** The first page: money, what needs somebody, what comes next and what came last. */

const words = texts("overview");

const NEXT = 5;

/** The work of the next instants. An instant is shown whole. */
function NextDue({ of }: { of: Readings }) {
  const ran = useSignal<Advanced | null>(null);
  const onRan = (answer: Advanced) => {
    learnClock(answer);
    ran.value = answer;
  };
  return (
    <Section title={words.value.due}>
      <Show of={of.due.state.value}>
        {({ data }) => {
          const last = [...new Set(data.map(({ at }) => at))].at(NEXT);
          const entries = last === undefined ? data : data.filter(({ at }) => Date.parse(at) < Date.parse(last));
          return entries.length === 0 ? (
            <p class="hint">{words.value.nothing_due}</p>
          ) : (
            <DueList entries={entries} caption={words.value.due} onRan={onRan} />
          );
        }}
      </Show>
      {ran.value === null ? null : <Ran answer={ran.value} />}
    </Section>
  );
}

export function Overview() {
  const readings = useReadings();
  return (
    <Page title={menuWords.value.overview} command={{ id: "payments.metrics", input: { query: { days: 7 } } }}>
      {readings.isRead ? (
        <>
          <Headline of={readings} />
          <div class="overview">
            <GettingStarted of={readings} />
            <div class="stack">
              <Attention of={readings} />
              <Feed of={readings} />
            </div>
            <div class="stack">
              <Days of={readings} />
              <NextDue of={readings} />
            </div>
          </div>
        </>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}
