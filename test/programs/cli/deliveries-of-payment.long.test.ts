import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli } from "../../support/shared.js";

const LIVE = "qa_live_0123456789abcdef";
const cli = sharedCli();

describe("webhooks deliveries --payment on a host with many deliveries", () => {
  const START = Date.UTC(2026, 10, 1);
  const raw = "01a2234d-3480-7001-9386-fe1e81f10f70";
  const TOTAL = 40_000;
  /** A delivery each second, the oldest first; each thousandth is about the payment. */
  const row = (place: number) => ({
    id: `wd_${place}`,
    eventType: "charge.paid",
    status: "DELIVERED",
    createdAt: new Date(START + place * 1_000).toISOString(),
    payload: { data: { object: { id: place % 1_000 === 0 ? `ch_${raw}` : `ch_${place}` } } },
  });
  let big: Host;

  beforeAll(async () => {
    big = await startHost(({ url = "" }, outgoing) => {
      const { pathname, searchParams } = new URL(url, "http://host");
      const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))];
      const places = Array.from({ length: Math.min(limit, TOTAL - offset) }, (_none, at) => TOTAL - 1 - offset - at);
      const answer = pathname.startsWith("/v1/payments/")
        ? { id: `tx_${raw}`, status: "PAID", createdAt: new Date(START).toISOString() }
        : { data: places.map(row), total: TOTAL, limit, offset };
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  afterAll(() => big.close());

  const listThere = (...words: string[]) => {
    let now = START;
    const options = { now: () => (now += 100) };
    const where = ["--base-url", big.url, "--api-key", LIVE];
    return cli.run(["webhooks", "deliveries", "--payment", raw, ...where, ...words], options);
  };

  it("reads up to its bound, reports its progress, and says what was not read", async () => {
    const { code, out, err } = await listThere("--output", "jsonl", "--utc");
    expect([code, out.trimEnd().split("\n")]).toEqual([0, expect.objectContaining({ length: 30 })]);
    expect(err).toMatch(/\n\d+ read so far\n/);
    expect(err).toContain("Deliveries after 2026-11-01 08:19:59Z were not read; --all reads them, too.\n");
    expect(JSON.parse((await listThere("--json")).out)).toMatchObject({ total: 30, has_more: true });
  });

  it("reads all with --all", async () => {
    const { total, data, ...rest } = JSON.parse((await listThere("--all", "--json")).out);
    expect([total, data.length, rest]).toEqual([40, 40, {}]);
  });

  it("stops at Ctrl-C with an error", async () => {
    let stop: () => void = () => undefined;
    const where = ["--base-url", big.url, "--api-key", LIVE];
    let now = START;
    const running = cli.run(["webhooks", "deliveries", "--payment", raw, "--all", ...where], {
      onStop: (callback) => {
        stop = () => callback("SIGINT");
      },
      now: () => {
        now += 100;
        if (now > START + 2_000) stop();
        return now;
      },
    });
    const { code, out, err } = await running;
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("Stopped before the end of the list.")]);
  });
});
