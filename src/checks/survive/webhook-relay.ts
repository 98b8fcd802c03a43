import type { ClientRequest, ServerResponse } from "node:http";
import { answerExcerpt } from "../../base/kernel/answer-excerpt.js";
import { attemptErrorOf } from "../../base/kernel/attempt-errors.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { isJsonObject, jsonIn } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { SIGNATURE_HEADER } from "../../base/kernel/webhook-signature.js";
import { whenConnected } from "../../base/platform/http-request.js";
import { receiveOnLoopback } from "../../base/platform/listening.js";
import type { AttemptResult } from "../../service/delivery/schedule.js";
import { createTransport } from "../../service/delivery/transport.js";
import { familyOf, isEventName } from "../../service/features/webhooks/catalogue.js";
import { signature } from "../../service/features/webhooks/envelope.js";
import { toPlainId } from "../reconcile/orders.js";

/**
 * The relay between the emulator and the shop. The emulator sends its webhooks here. Each is held until its fate is decided, so
 * that no timer decides about their order. The emulator gets the answer of the shop.
 */

/** The content of a webhook: the id of the delivery, the name of the event and its body. */
export interface WebhookContent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** A webhook that the emulator has sent and that has no answer yet. */
export interface HeldWebhook extends WebhookContent {
  /** The charge that it is about, as a plain id; null where its body names none. */
  readonly charge: string | null;
  /** Answers the emulator as the shop did. Without a result the connection is cut. */
  answer(result: Pick<AttemptResult, "statusCode" | "responseBody" | "responseHeaders"> | null): void;
}

/** How a webhook is signed: null sends no signature. */
export interface Signing {
  readonly secret: string;
  readonly at: number;
  /** Signs another body than the one that is sent. */
  readonly body?: string;
}

export function answerText({ statusCode, error, responseBody }: AttemptResult): string {
  if (statusCode === null) return `no answer: ${attemptErrorOf(error).error}`;
  const body = responseBody?.trim() ?? "";
  return `answered ${statusCode}${isSuccess(statusCode) || body === "" ? "" : `: ${answerExcerpt(body, 200)}`}`;
}

/** True if the signature of the event has a time. */
export function isTimed({ type }: Pick<WebhookContent, "type">): boolean {
  return isEventName(type) && familyOf(type) === "canonical";
}

function chargeIn(body: string): string | null {
  const event = jsonIn(body);
  const names = ["data.object.charge_id", "data.object.id", "data.transactionId"];
  const id = names.map((name) => pick(event, name)).find((value) => typeof value === "string");
  return isJsonObject(event) && typeof id === "string" ? toPlainId(id) : null;
}

function answerer(response: ServerResponse): HeldWebhook["answer"] {
  return (result) => {
    if (result === null || result.statusCode === null) {
      response.destroy();
      return;
    }
    const { "retry-after": retryAfter } = result.responseHeaders;
    response.writeHead(result.statusCode, retryAfter === undefined ? {} : { "retry-after": retryAfter });
    response.end(result.responseBody);
  };
}

const HEADERS = ["x-qa-delivery-id", "x-qa-event-type"] as const;

/** An answer in place of the shop's. */
const NOBODYS = { statusCode: 204, responseBody: "", responseHeaders: {} };

/** The webhooks that have come and wait for a decision. */
function createHeldWebhooks() {
  const held = new Map<string, HeldWebhook>();
  /** How many requests of a delivery have come. */
  const requests = new Map<string, number>();
  const passed = new Set<string>();
  /** Charges up to this one are older than the run; null until it begins. Ids sort by the time of their creation. */
  let before: string | null = null;
  /** Deliveries that were answered without the shop. */
  const dropped = new Set<string>();
  let resolveNews: () => void = () => undefined;
  let news = Promise.resolve();
  const wake = () => {
    resolveNews();
    news = new Promise<void>((resolve) => {
      resolveNews = resolve;
    });
  };
  wake();
  const isForgotten = (charge: string) =>
    before === null || toPlainId(charge) <= before || passed.has(toPlainId(charge));
  return {
    held,
    take(one: HeldWebhook): void {
      requests.set(one.id, (requests.get(one.id) ?? 0) + 1);
      // A webhook of a schedule that is over goes nowhere.
      if (one.charge === null || isForgotten(one.charge)) {
        dropped.add(one.id);
        one.answer(NOBODYS);
      } else held.set(one.id, one);
      wake();
    },
    /** From then on webhooks of newer charges than this are held. All others are answered 204, and go nowhere. */
    open(charge: string): void {
      before = charge;
    },
    hasCome: (id: string) => held.has(id) || dropped.has(id),
    /** How many requests of this delivery have come until now. */
    requestsOf: (id: string) => requests.get(id) ?? 0,
    /** Resolves when a webhook has come, or `wake` was called. */
    news: () => news,
    wake,
    /** True if this charge belongs to no schedule that still runs. */
    isForgotten,
    /** Webhooks of these charges are answered 204 from now on, and go nowhere. */
    forget(charges: Iterable<string>): void {
      for (const charge of charges) passed.add(charge);
      for (const one of held.values()) one.answer(NOBODYS);
      for (const kept of [held, requests, dropped]) kept.clear();
    },
  };
}

/**
 * Lets `count` requests arrive at the same moment: none is sent before all of them have a connection. Otherwise a request over
 * a kept connection would arrive far before one that first has to look up the host.
 */
export function together(count: number) {
  let missing = count;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  /** Returns the function that sends the body of one request. */
  return (body: string) =>
    (request: ClientRequest): void => {
      let isCounted = false;
      const count = () => {
        if (isCounted) return;
        isCounted = true;
        missing -= 1;
        if (missing === 0) open();
      };
      whenConnected(request, count);
      // A request without a connection does not delay the others.
      request.on("close", count);
      void all.then(() => request.end(body));
    };
}

export type Moment = ReturnType<typeof together>;

/** Opens the address on this machine that takes the webhooks of the service. Returns the relay, which passes them to the shop. */
export async function openWebhookRelay(real: RealTime) {
  const heldWebhooks = createHeldWebhooks();
  const transport = createTransport({ real, insecureTls: true });
  const { port, close } = await receiveOnLoopback((request, body, response) => {
    const [id = "", type = ""] = HEADERS.map((name) => String(request.headers[name] ?? ""));
    heldWebhooks.take({ id, type, body, charge: chargeIn(body), answer: answerer(response) });
  });
  return {
    ...heldWebhooks,
    url: `http://127.0.0.1:${port}/webhooks`,
    /** Sends a webhook to the shop; with `at`, at the same moment as others. Never rejects. */
    send(url: string, { id, type, body }: WebhookContent, signing: Signing | null, at?: Moment) {
      const name = isEventName(type) ? type : "charge.created";
      const headers = { "content-type": "application/json", "x-qa-delivery-id": id, "x-qa-event-type": type };
      const signed = signing && signature(name, signing.secret, signing.body ?? body, signing.at);
      const all = signed === null ? headers : { ...headers, [SIGNATURE_HEADER]: signed };
      return transport.post(url, all, at === undefined ? body : at(body));
    },
    close(): Promise<void> {
      transport.close();
      return close();
    },
  };
}

export type WebhookRelay = Awaited<ReturnType<typeof openWebhookRelay>>;
