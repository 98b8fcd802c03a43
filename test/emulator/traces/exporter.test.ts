import { describe, expect, it } from "vitest";
import type { RealTime } from "../../../src/base/kernel/runtime.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { Exporter } from "../../../src/emulator/traces/exporter.js";
import { spanOf } from "../../../src/emulator/traces/span.js";
import { createTransport } from "../../../src/service/delivery/transport.js";
import { ownEmulator, ownReceiver } from "../../support/shared.js";
import { spansIn } from "./decoder.js";

const span = (name: string) =>
  spanOf({
    place: { traceId: "1".repeat(32), spanId: "2".repeat(16), parent: null },
    ...{ name, kind: "internal", endedAt: 1_800_000_000_000.25, durationMs: 0.25, failure: null },
    attributes: { text: "é".repeat(600), whole: 3, part: 0.5, yes: true, nothing: null },
  });

/** An exporter whose pauses are over at once. Its time limits stay. */
function exporterFor(url: string) {
  const warnings: string[] = [];
  const isPause = (ms: number) => ms === 1_000 || ms === 5_000;
  const real: RealTime = { ...realTime, after: (ms, call) => realTime.after(isPause(ms) ? 0 : ms, call) };
  const transport = createTransport({ real, insecureTls: false });
  const log = { warn: (text: string) => void warnings.push(text) };
  return { exporter: new Exporter({ real, log, transport, url, version: "1" }), warnings };
}

describe("spans", () => {
  it("are sent in the JSON of OTLP, in their order, at most 512 in a request", async () => {
    const collector = await ownReceiver();
    const { exporter, warnings } = exporterFor(new URL(collector.url).origin);
    for (let count = 0; count < 600; count++) exporter.add(span(`${count}`));
    await collector.waitFor(2);
    await exporter.stop();
    const [first = [], second = []] = collector.received.map(({ raw }) => spansIn(raw));
    expect([first.length, second.length]).toEqual([512, 88]);
    expect([...first, ...second].map(({ name }) => name)).toEqual(Array.from({ length: 600 }, (_, at) => `${at}`));
    expect(first[0]).toMatchObject({
      startTimeUnixNano: "1800000000000000000",
      endTimeUnixNano: "1800000000000250000",
    });
    expect(warnings).toEqual([]);
  });

  it("wait for a collector that is busy, and are sent again", async () => {
    const collector = await ownReceiver();
    collector.replies.push({ status: 503 }, { status: 429 });
    const { exporter, warnings } = exporterFor(new URL(collector.url).origin);
    exporter.add(span("one"));
    await collector.waitFor(3);
    await exporter.stop();
    expect(collector.received.map(({ raw }) => spansIn(raw).map(({ name }) => name))).toEqual([
      ["one"],
      ["one"],
      ["one"],
    ]);
    expect(warnings).toEqual([expect.stringContaining("answered 503")]);
  });

  it("that are refused permanently are not sent again", async () => {
    const collector = await ownReceiver();
    collector.replies.push({ status: 400 });
    const { exporter } = exporterFor(new URL(collector.url).origin);
    exporter.add(span("one"));
    await collector.waitFor(1);
    exporter.add(span("two"));
    await collector.waitFor(2);
    await exporter.stop();
    expect(collector.received.map(({ raw }) => spansIn(raw).map(({ name }) => name))).toEqual([["one"], ["two"]]);
  });

  it("are left out where too many wait, and the end says how many", async () => {
    const { exporter, warnings } = exporterFor("http://127.0.0.1:9");
    for (let count = 0; count < 3_000; count++) exporter.add(span("one"));
    await exporter.stop();
    expect(warnings.at(-1)).toBe("3000 spans were not sent to the collector at 127.0.0.1:9.");
  });
});

it.each(["close", "silence"] as const)(
  "a collector that answers with %s does not keep the server from its work or its end",
  async (instead) => {
    const collector = await ownReceiver();
    const warnings: string[] = [];
    const log = { warn: (text: string) => void warnings.push(text), error: console.error };
    collector.respond = () => ({ instead });
    const emulator = await ownEmulator({ otlp: new URL(collector.url).origin, log });
    const charge = await emulator.charge();
    expect((await emulator.sandbox(`/charges/${charge.id}/pay`)).outcome).toBe("paid");
    await emulator.close();
    expect(collector.received.length).toBeGreaterThan(0);
    expect(warnings).toEqual([expect.stringContaining("took no spans"), expect.stringContaining("were not sent")]);
  },
);
