import type { Loose } from "../host.js";
import { FATES, isElsewhere, sendAgain } from "../model/reporting.js";
import type { Endpoint } from "../model/state.js";
import { bookAt, type Kind, keyOf, pickOf, rawId, same, which } from "./plan.js";

/** Endpoints and deliveries. */

const EVENTS = [
  ["charge.created", "charge.paid", "charge.failed", "charge.expired"],
  ["payment.created", "payment.completed", "payment.failed", "payment.expired"],
  ["payment.refunded", "payment.status_changed"],
  ["payout.created", "payout.paid", "payout.failed", "withdrawal.status_changed"],
  ["med_case.created", "med_case.updated", "med.resolved"],
] as const;

const MOST = 5;

const add: Kind = {
  name: "add an endpoint",
  weight: 3,
  draw: (chance) => ({ book: which(chance), fate: chance.pick(FATES), events: chance.below(EVENTS.length) }),
  plan({ book: index, fate, events: choice }, run) {
    const book = bookAt(run, index);
    if (book.endpoints.length >= MOST) return null;
    const events = [...(EVENTS[Number(choice)] ?? EVENTS[0])];
    const url = `${run.receivers}/${run.next()}/${fate}`;
    const key = keyOf(run, book);
    return {
      ask: { method: "POST", path: "/v1/webhooks/endpoints", key, body: { url, events } },
      ...{ book, status: 201 },
      apply(world, { id, secret = null }) {
        same(world, book).endpoints.push({ id: rawId(id), url, events, status: "ACTIVE", secret });
      },
      wrong: ({ body: { secret } }) => (/^[0-9a-f]{64}$/.test(secret) ? [] : ["a secret that is none"]),
      async find() {
        const reply = await run.host.ask({ method: "GET", path: "/v1/webhooks/endpoints", key });
        return reply?.body.data.find((one: Loose) => one.url === url) ?? null;
      },
    };
  },
};

const change: Kind = {
  name: "change an endpoint",
  weight: 3,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), events: chance.below(EVENTS.length) },
    status: chance.pick(["ACTIVE", "ACTIVE", "INACTIVE"]),
  }),
  plan({ book: index, which: choice, events: set, status }, run) {
    const book = bookAt(run, index);
    const found = pickOf(book.endpoints, choice);
    if (found === undefined) return null;
    const events = [...(EVENTS[Number(set)] ?? EVENTS[0])];
    return {
      ask: {
        method: "PATCH",
        path: `/v1/webhooks/endpoints/we_${found.id}`,
        key: keyOf(run, book),
        body: { events, status },
      },
      ...{ book, status: 200 },
      apply(world) {
        const one = same(world, book).endpoints.find(({ id }) => id === found.id);
        if (one !== undefined) Object.assign(one, { events, status });
      },
    };
  },
};

const remove: Kind = {
  name: "delete an endpoint",
  weight: 2,
  draw: (chance) => ({ book: which(chance), which: which(chance) }),
  plan({ book: index, which: choice }, run) {
    const book = bookAt(run, index);
    const isAwaited = ({ id }: Endpoint) =>
      book.deliveries.some(({ endpoint, status }) => endpoint === id && status === "PENDING");
    // Most often one for which something waits, because that must not be sent any more.
    const awaited = book.endpoints.filter(isAwaited);
    const found = pickOf(awaited.length > 0 ? awaited : book.endpoints, choice);
    if (found === undefined) return null;
    return {
      ask: { method: "DELETE", path: `/v1/webhooks/endpoints/we_${found.id}`, key: keyOf(run, book) },
      ...{ book, status: 200 },
      apply(world) {
        const own = same(world, book);
        own.endpoints = own.endpoints.filter(({ id }) => id !== found.id);
        for (const one of own.deliveries) {
          if (one.endpoint === found.id && one.status === "PENDING" && !isElsewhere(one))
            Object.assign(one, { status: "CANCELLED", nextAt: null });
        }
      },
    };
  },
};

const rotate: Kind = {
  name: "rotate a secret",
  weight: 1,
  draw: (chance) => ({ book: which(chance), which: which(chance) }),
  plan({ book: index, which: choice }, run) {
    const book = bookAt(run, index);
    const found = pickOf(book.endpoints, choice);
    if (found === undefined) return null;
    const path = `/v1/webhooks/endpoints/we_${found.id}/rotate-secret`;
    const wrong = (secret: string) => (secret === found.secret ? ["a rotation kept the secret"] : []);
    return {
      ask: { method: "POST", path, key: keyOf(run, book) },
      ...{ book, status: 200 },
      apply(world, { secret = null }) {
        const one = same(world, book).endpoints.find(({ id }) => id === found.id);
        if (one !== undefined) one.secret = secret;
      },
      wrong: ({ body }) => wrong(body.secret),
      // It is unknown whether it happened: from here on the secret is not known, and signatures are not judged.
      find: async () => ({ secret: null }),
    };
  },
};

const resend: Kind = {
  name: "resend a delivery",
  weight: 3,
  draw: (chance) => ({ book: which(chance), which: which(chance), to: chance.pick([null, null, ...FATES]) }),
  async plan({ book: index, which: choice, to }, run) {
    const book = bookAt(run, index);
    const key = keyOf(run, book);
    const reply = await run.host.ask({ method: "GET", path: "/_sandbox/webhooks/deliveries?limit=50", key });
    const row = pickOf<Loose>(reply?.body.data ?? [], choice);
    if (row === undefined) return null;
    const endpoint = row.endpointId === null ? null : rawId(row.endpointId);
    const subject = rawId(row.payload.data.transactionId ?? row.payload.data.object.id);
    const path = `/_sandbox/webhooks/deliveries/${row.id}`;
    const whole = await run.host.ask({ method: "GET", path, key });
    const sentTo: string | undefined = whole?.body.attempts[0]?.request.url;
    const alike = book.deliveries.filter(
      (one) => one.type === row.eventType && one.subject === subject && one.endpoint === endpoint,
    );
    const earlier = alike.find(({ url }) => url === sentTo) ?? alike[0];
    // A delivery that was not attempted yet does not show its address.
    if (sentTo === undefined && alike.some(isElsewhere)) return null;
    const own: Endpoint | undefined = book.endpoints.find(({ id }) => id === endpoint);
    // A delivery whose endpoint was removed or switched off is left to the tests of that case.
    if (earlier === undefined || (endpoint !== null && own?.status !== "ACTIVE")) return null;
    const url = to === null ? null : `${run.receivers}/elsewhere-${own === undefined ? book.account : own.id}/${to}`;
    const before = isElsewhere(earlier) ? earlier.url : (own?.url ?? earlier.url);
    return {
      ask: { method: "POST", path: `${path}/resend`, key, body: url === null ? {} : { url } },
      ...{ book, status: 201 },
      apply: (world) => sendAgain(same(world, book), { ...earlier, url: before }, world.now, url),
    };
  },
};

export const WEBHOOKS = [add, change, remove, rotate, resend];
