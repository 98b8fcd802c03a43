import { Page, Show, Skeleton } from "../../parts/page.js";
import { menuWords } from "../../shell/menu.js";
import { texts } from "../../state/language.js";
import { Attention } from "./attention.js";
import { DueWork } from "./due.js";
import { Feed } from "./feed.js";
import { Days, Headline } from "./money.js";
import { type Readings, useReadings } from "./readings.js";
import { GettingStarted } from "./started.js";

/** The first page: money, facts that need attention, next and last events. */

const words = texts("overview");

const NEXT = 5;

/** The work of the next instants. All work of an instant is shown. */
function NextDue({ of }: { of: Readings }) {
  return (
    <Show of={of.due}>
      {({ data }) => {
        const last = [...new Set(data.map(({ at }) => at))].at(NEXT);
        const entries = last === undefined ? data : data.filter(({ at }) => Date.parse(at) < Date.parse(last));
        return <DueWork title={words.value.due} entries={entries} none={words.value.nothing_due} />;
      }}
    </Show>
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
