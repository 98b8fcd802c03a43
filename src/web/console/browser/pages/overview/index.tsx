import { Page, Skeleton } from "../../parts/page.js";
import { Problem } from "../../parts/why.js";
import { menuWords } from "../../shell/menu.js";
import { Attention } from "./attention.js";
import { NextDue } from "./due.js";
import { Feed } from "./feed.js";
import { FirstMinute } from "./first-minute.js";
import { Days, Headline } from "./money.js";
import { failuresOf, totalOf, useReadings } from "./readings.js";

/** The first page: money, facts that need attention, next and last events. */

export function Overview() {
  const readings = useReadings();
  // A new server has no figures to show, and one thing to do.
  const isEmpty = totalOf(readings) === 0;
  const failed = failuresOf(readings);
  const retry = () => {
    for (const one of failed) one.retry();
  };
  return (
    <Page title={menuWords.value.overview} command={{ id: "payments.metrics", input: { query: { days: 7 } } }}>
      {readings.isRead ? (
        <>
          {failed[0]?.error && <Problem of={failed[0].error} retry={retry} />}
          <FirstMinute of={readings} />
          {isEmpty ? null : <Headline of={readings} />}
          <div class="overview">
            <div class="stack">
              <Attention of={readings} isEmpty={isEmpty} />
              {isEmpty ? null : <Feed of={readings} />}
            </div>
            {isEmpty ? null : (
              <div class="stack">
                <Days of={readings} />
                <NextDue of={readings} />
              </div>
            )}
          </div>
        </>
      ) : (
        <Skeleton />
      )}
    </Page>
  );
}
