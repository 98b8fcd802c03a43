import { formatCount } from "../../../base/kernel/format-count.js";
import { pick } from "../../../base/kernel/pick.js";
import { answerText, field, idsOf, listIn, requireSome, steadily, textIn, valueText } from "../answer.js";
import { asWarning, checks, type Host, withNeeds } from "../check.js";
import * as expect from "../expect.js";
import { type CheckedExchange, Skip } from "../run-context.js";

/** Webhook endpoints and the list of deliveries, without a receiver. */

const ENDPOINTS = "/v1/webhooks/endpoints";
const DELIVERIES = "/v1/webhooks/deliveries";
const UNKNOWN = "we_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const SECRET = /^[0-9a-f]{64}$/;
/** Events that the service must offer. A family with a star may have more members. */
const NAMES = [
  ...["charge.created", "charge.paid", "charge.failed", "charge.expired"],
  ...["payout.created", "payout.paid", "payout.failed"],
  ...["med_case.created", "med_case.updated", "med.resolved"],
];
const LEGACY = [
  ...["payment.created", "payment.completed", "payment.failed", "payment.expired", "payment.refunded"],
  ...["payment.status_changed", "withdrawal.completed", "withdrawal.status_changed"],
];

/** Registers an endpoint that no server listens to. The end of the run deletes it. */
/** With the port that https has anyway: a service that rewrites addresses answers another one. */
const urlOf = ({ run }: Host) => `https://qa-pay-conform.invalid:443/${run}`;

async function register(host: Host): Promise<CheckedExchange> {
  const seen = await host.ask("POST", ENDPOINTS, { body: { url: urlOf(host), events: ["payout.failed"] } });
  const id = field(seen, "id");
  if (typeof id === "string") host.atEnd(async () => void (await host.ask("DELETE", `${ENDPOINTS}/${id}`)));
  return seen;
}

async function registerEndpoint(host: Host): Promise<string> {
  const seen = await register(host);
  if (seen.status !== 201) throw new Skip(`it needs an endpoint, and none could be created (${answerText(seen)})`);
  return textIn(seen, "id");
}

async function readListed(host: Host, id: string): Promise<unknown> {
  return listIn(await host.get(ENDPOINTS)).find((one) => pick(one, "id") === id);
}

export const ENDPOINT_CHECKS = checks([], {
  async "event-catalog"(host) {
    const seen = await host.get("/v1/webhooks/event-catalog");
    expect.status(seen, 200);
    const entries = new Map(listIn(seen, "").map((one) => [String(pick(one, "event")), one]));
    const missing = [...NAMES, ...LEGACY].find((name) => !entries.has(name));
    expect.that(missing === undefined, "All names are listed.", `${missing} is missing`, seen);
    for (const [name, one] of entries) {
      const isLegacy = /^(?:payment|withdrawal)\./.test(name);
      const [mark, text] = [pick(one, "legacy"), pick(one, "description")];
      const isRight = (mark === true) === isLegacy && typeof text === "string";
      const expected = `${name} has a description and ${isLegacy ? "legacy true" : "no legacy true"}.`;
      expect.that(isRight, expected, `${valueText(text)}, legacy ${valueText(mark)}`, seen);
    }
    return `${entries.size} events`;
  },
  async "endpoints-list"(host) {
    if (host.context.canWrite) await registerEndpoint(host);
    const seen = await expect.expectServed(host, `GET ${ENDPOINTS}`);
    const withSecret = listIn(seen).find((one) => pick(one, "secret") !== undefined);
    expect.that(withSecret === undefined, "No entry has a secret.", `${String(pick(withSecret, "id"))} has one`, seen);
    return `${formatCount(listIn(seen).length, "endpoint")}, no secret`;
  },
  "endpoint-register": withNeeds(["write"], async (host) => {
    const seen = await register(host);
    expect.status(seen, 201);
    expect.value(seen, "status", "ACTIVE");
    expect.value(seen, "url", urlOf(host));
    expect.that(SECRET.test(String(field(seen, "secret"))), "secret is 64 hexadecimal digits.", "it is not", seen);
    host.shapes.check(seen, `POST ${ENDPOINTS}`, 201);
    return "201 ACTIVE with a secret";
  }),
  "endpoint-register-wrong": withNeeds(["write"], async (host) => {
    const good = { url: "https://qa-pay-conform.invalid/", events: ["charge.paid"] };
    const wrong = [
      ["An endpoint without an address", { ...good, url: "nowhere" }, { param: "url" }],
      ["An endpoint with an unknown event", { ...good, events: ["qa_pay.conform"] }, {}],
    ] as const;
    await expect.allRefused(wrong, (body) => host.ask("POST", ENDPOINTS, { body }));
    return "400 for two wrong bodies";
  }),
  "endpoint-update": withNeeds(["write"], async (host) => {
    const id = await registerEndpoint(host);
    const before = await readListed(host, id);
    const seen = await expect.expectServed(host, `PATCH ${ENDPOINTS}/{id}`, {
      params: { id },
      body: { status: "INACTIVE" },
    });
    expect.that(field(seen, "secret") === undefined, "The answer has no secret.", "it has one", seen);
    const after = await readListed(host, id);
    const status = pick(after, "status");
    expect.that(status === "INACTIVE", "status is INACTIVE then.", `it is ${valueText(status)}`, seen);
    const isKept = ["url", "events"].every((name) => valueText(pick(after, name)) === valueText(pick(before, name)));
    expect.that(isKept, "url and events are as before.", "they are not", seen);
    return "INACTIVE, the rest as before";
  }),
  "endpoint-rotate": withNeeds(["write"], async (host) => {
    const created = await register(host);
    const seen = await host.ask("POST", `${ENDPOINTS}/${textIn(created, "id")}/rotate-secret`);
    expect.status(seen, 200);
    const [old, next] = [field(created, "secret"), field(seen, "secret")];
    expect.that(SECRET.test(String(next)) && next !== old, "Another secret of 64 digits.", "it is not", seen);
    return "another secret";
  }),
  "endpoint-delete": withNeeds(["write"], async (host) => {
    const id = await registerEndpoint(host);
    const seen = await host.ask("DELETE", `${ENDPOINTS}/${id}`);
    expect.status(seen, 200);
    expect.that(field(seen, "deleted") === true, "The body is {deleted: true}.", valueText(seen.json), seen);
    const isListed = (await readListed(host, id)) !== undefined;
    expect.that(!isListed, "It is not listed any more.", "it is", seen);
    return "deleted and gone";
  }),
  "endpoint-unknown": withNeeds(
    ["write"],
    expect.refuses("404 not_found", expect.NOT_FOUND, [
      `DELETE ${ENDPOINTS}/${UNKNOWN}`,
      `POST ${ENDPOINTS}/${UNKNOWN}/rotate-secret`,
    ]),
  ),
  async "deliveries-list"(host) {
    const seen = await expect.expectServed(host, `GET ${DELIVERIES}`);
    expect.same([field(seen, "limit"), field(seen, "offset")], [25, 0], "limit is 25 and offset 0.", seen);
    return `${listIn(seen).length} of ${String(field(seen, "total"))}`;
  },
  "deliveries-pages": (host) =>
    steadily(async () => {
      const both = requireSome(idsOf(listIn(await host.get(`${DELIVERIES}?limit=2`))), 2, "webhook deliveries");
      const seen = await host.get(`${DELIVERIES}?limit=1&offset=1`);
      expect.same(idsOf(listIn(seen)), [both[1]], `With limit=1&offset=1 it is ${valueText(both[1])}.`, seen);
      return "offset 1 is the second delivery";
    }),
  "deliveries-limit": asWarning(
    expect.refuses("400 for four wrong queries", expect.INVALID, [
      `GET ${DELIVERIES}?limit=101`,
      `GET ${DELIVERIES}?limit=0`,
      `GET ${DELIVERIES}?status=NONE`,
      `GET ${DELIVERIES}?eventType=none`,
    ]),
  ),
  "webhook-stats": (host) =>
    steadily(async () => {
      const seen = await expect.expectServed(host, "GET /v1/webhooks/stats");
      const names = ["PENDING", "PROCESSING", "DELIVERED", "FAILED", "CANCELLED"];
      const sum = names.reduce((all, name) => all + Number(field(seen, name)), 0);
      expect.value(seen, "total", sum);
      return `${sum} deliveries`;
    }),
});
