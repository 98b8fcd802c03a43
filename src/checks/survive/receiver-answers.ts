import type { Client } from "../../api/client/types.js";
import { attemptErrorOf } from "../../base/kernel/attempt-errors.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { SAMPLE_PAYER_CPF } from "../../base/kernel/tax-id.js";
import { casesFor } from "../../emulator/receiver-check/cases.js";
import { checkReceiver } from "../../emulator/receiver-check/check-receiver.js";
import type { Result } from "../../emulator/receiver-check/judge.js";
import { toPlainId } from "../reconcile/orders.js";
import type { Shop } from "../shop/shop.js";

/** The shop's receiver in the report: its answers to the cases of `webhooks test`. */

/** Real milliseconds for each answer to a case. */
const ANSWER_MS = 10_000;

/** A run whose shop and service are still there. */
export interface FinishedRun {
  readonly shop: Shop;
  readonly client: Client;
  readonly webhookSecret: string;
  /** Ends every wait for the shop. */
  readonly stopped: AbortSignal;
}

interface ReceiverParts extends FinishedRun {
  readonly real: RealTime;
  uuid(): string;
  pause(ms: number, stop: AbortSignal): Promise<void>;
}

/** The amount of the charges in the cases. */
const AMOUNT = 1_990;

/** Buys and pays an order for the cases, because a receiver may read the charge of an event from the service. */
async function buyCharge({ shop, client, uuid }: ReceiverParts): Promise<string | undefined> {
  const order = `receiver-${uuid().slice(0, 8)}`;
  const bought = await shop.buy({ order, amount: AMOUNT, document: SAMPLE_PAYER_CPF });
  if (bought.kind === "refused") return undefined;
  const id = toPlainId(bought.charge);
  await client["sandbox.charges.pay"]({ params: { id: ID_PREFIX.charge + id }, body: {} }).catch(() => undefined);
  return id;
}

/** Returns the results of the cases of `webhooks test`, or the reason why there are none. */
export async function receiverAnswers(parts: ReceiverParts): Promise<readonly Result[] | string> {
  const { shop, webhookSecret: secret, stopped: stop, real, uuid, pause } = parts;
  if (stop.aborted) return "The run was stopped before its cases were sent.";
  const charge = await buyCharge(parts);
  const url = shop.webhooks;
  const receiver = { url, secret, oldSecret: "", charge, real, uuid, insecureTls: false };
  const { cases } = casesFor(undefined, false);
  const checked = await checkReceiver(cases, { ...receiver, timeoutMs: ANSWER_MS, pause, stop });
  if ("results" in checked) return checked.results;
  return `No receiver answers at ${url} (${attemptErrorOf(checked.unreachable).error}).`;
}
