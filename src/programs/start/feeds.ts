import { createFeed } from "../../base/kernel/feed.js";
import type { Runtime } from "../../base/kernel/runtime.js";
import type { Attempt, AttemptRequest } from "../../service/delivery/attempt.js";
import type { HistoryRow } from "../../service/features/history/store.js";
import type { JobRow } from "../../service/features/jobs/store.js";
import type { KeptRequest } from "../../service/features/requests/logged-request.js";
import type { News } from "../../service/features/tx.js";
import type { ClaimedDelivery } from "../../service/features/webhooks/store.js";

/** The feeds of the service. All but the last five are published after the commit of the unit of work. */
export function createFeeds({ real, log }: Runtime) {
  return {
    /** The emulated instant at which a new job is due. */
    jobDue: createFeed<number>("due jobs", real, log),
    jobMade: createFeed<JobRow>("new jobs", real, log),
    /** The emulated instant at which a delivery is due. */
    deliveryDue: createFeed<number>("due deliveries", real, log),
    /** The emulated instant at which an advance of the clock has ended, when it moved the clock. */
    clockReached: createFeed<number>("ends of advances", real, log),
    /** Messages that a noun writes to the stream of everything. */
    news: createFeed<News>("news", real, log),
    /** The `seq` of a new event. */
    eventWritten: createFeed<number>("events", real, log),
    happened: createFeed<HistoryRow>("history", real, log),
    /** The id of a new journal. */
    journalPosted: createFeed<number>("journals", real, log),
    requests: createFeed<KeptRequest>("requests", real, log),
    sending: createFeed<ClaimedDelivery>("deliveries", real, log),
    /** A webhook that a collector receives. */
    collected: createFeed<AttemptRequest>("collected webhooks", real, log),
    /** A delivery whose attempt was recorded, with its values from before the attempt. */
    attemptRecorded: createFeed<ClaimedDelivery>("recorded attempts", real, log),
    attempts: createFeed<Attempt>("delivery attempts", real, log),
  };
}

export type Feeds = ReturnType<typeof createFeeds>;
