import type { StoredSecret } from "../../base/db/stored-secret.js";
import type { DeliveryWorker } from "../../service/delivery/worker.js";
import type { RequestLog } from "../../service/features/requests/request-log.js";
import { forgetRows } from "../../service/features/stores.js";
import type { Stores } from "../../service/features/tx.js";
import type { FaultRules } from "./fault-rules.js";
import type { LiveStream } from "./live-stream.js";

/** The memory of the process about the contents of the database, which a reset and a restore replace. */
export interface Caches {
  readonly stores: Stores;
  readonly secrets: readonly StoredSecret[];
  readonly signingKey: { forget(): void };
  readonly worker: Pick<DeliveryWorker, "forget">;
  readonly faults: Pick<FaultRules, "interrupt">;
  readonly requestLog: Pick<RequestLog, "clear">;
  readonly rateLimiter: { clear(): void } | null;
  readonly liveStream: Pick<LiveStream, "restart">;
  /** The open pages of payers, which read their payment again. */
  readonly paymentWatch: { notifyAll(): void };
}

/** Forgets all rows that were read. Call it in the transaction that changes the contents. */
export function forgetContents({ stores, secrets, signingKey }: Caches): void {
  forgetRows(stores);
  stores.ledger.forgetRoom();
  stores.transactions.printed.charges.clear();
  stores.transactions.printed.listed.clear();
  for (const secret of [...secrets, signingKey]) secret.forget();
}

/** Requests and deliveries of the old contents end, and their records go. Call it once the new contents are durable. */
export function endOldWork({
  stores,
  faults,
  requestLog,
  rateLimiter,
  worker,
  liveStream,
  paymentWatch,
}: Caches): void {
  faults.interrupt();
  requestLog.clear(stores.history.lastRequest());
  rateLimiter?.clear();
  worker.forget();
  liveStream.restart();
  paymentWatch.notifyAll();
}
