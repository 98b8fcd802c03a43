import { Page } from "../../parts/page.js";
import { Skeleton } from "../../parts/skeleton.js";
import { Unread } from "../../parts/why.js";
import { menuWords } from "../../shell/menu.js";
import { Attention } from "./attention.js";
import { NextDue } from "./due.js";
import { Feed } from "./feed.js";
import { FirstMinute } from "./first-minute.js";
import { Days, Headline } from "./money.js";
import { totalOf, useReadings } from "./readings.js";

/** The first page: money, facts that need attention, next and last events. */

export function Overview() {
  const { isRead, ...readings } = useReadings();
  const all = Object.values(readings);
  // A new server has no figures to show, and one thing to do.
  const isEmpty = totalOf(readings) === 0;
  return (
    <Page title={menuWords.value.overview} command={{ id: "payments.metrics", input: { query: { days: 7 } } }}>
      {isRead ? (
        <>
          <Unread of={all} />
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
