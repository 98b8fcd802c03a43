import { describe, expect, it } from "vitest";
import { startEmulator } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";
import { openStream } from "../../support/stream.js";

const emulator = sharedEmulator({ frozen: true });

describe("the live stream of events", () => {
  it("sends each event when it happens, in the form of the event log", async () => {
    const stream = await openStream(emulator, "/_sandbox/events");
    expect(stream.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(stream.headers.get("x-request-id")).toMatch(/^req_/);
    const charge = await emulator.charge();
    const [created, legacy] = [await stream.next(), await stream.next()];
    expect([created?.data.type, legacy?.data.type]).toEqual(["charge.created", "payment.created"]);
    await emulator.sandbox(`/charges/${charge.id}/fail`);
    const failed = await stream.next();
    expect(failed).toMatchObject({ event: "event", id: failed?.data.id, data: { type: "charge.failed" } });
    const { data } = await emulator.sandbox("/events?type=charge.failed");
    // The list also counts the deliveries of each event, which follow it.
    const { deliveries: _counts, ...listed } = data[0];
    expect(failed?.data).toEqual(listed);
    stream.close();
  });

  it("sends events of its own account and mode only", async () => {
    const stream = await openStream(emulator, "/_sandbox/events", emulator.live);
    await emulator.charge();
    const live = await emulator.charge({}, { key: emulator.live });
    expect((await stream.next())?.data.payload.data.object.id).toBe(live.id);
    stream.close();
  });

  it("goes to any number of clients, and one client can leave without ending the others", async () => {
    const [one, two] = [await openStream(emulator, "/_sandbox/events"), await openStream(emulator, "/_sandbox/events")];
    await emulator.charge();
    expect(await one.next()).toEqual(await two.next());
    one.close();
    await emulator.charge({ amount: 777 });
    await two.next();
    expect((await two.next())?.data.payload.data.object.amount).toBe(777);
    two.close();
  });
});

it("the live stream of requests sends each request to /v1 in the form of the request log", async () => {
  const stream = await openStream(emulator, "/_sandbox/requests");
  await emulator.sandbox("/clock");
  const charge = await emulator.charge();
  const told = await stream.next();
  expect(told).toMatchObject({ event: "request", data: { method: "POST", path: "/v1/charges", status: 201 } });
  expect(told?.data.response_body.id).toBe(charge.id);
  const { data } = await emulator.sandbox("/requests?limit=1");
  expect(told?.data).toEqual(data[0]);
  await emulator.call("GET", "/v1/wallets", { key: "qa_test_nobody-knows-me" });
  expect((await stream.next())?.data).toMatchObject({ status: 401, path: "/v1/wallets" });
  stream.close();
});

it("both streams end when the server stops, and do not delay it", async () => {
  const other = await startEmulator();
  const stream = await openStream(other, "/_sandbox/events");
  await other.charge();
  await stream.next();
  await stream.next();
  const ended = stream.next();
  await other.close();
  expect(await ended).toBeNull();
});

describe("a live stream with a filter", () => {
  it("sends only the events that the list shows with the same query", async () => {
    const charge = await emulator.charge();
    const stream = await openStream(emulator, `/_sandbox/events?type=charge.paid&subject=${charge.id}`);
    const other = await emulator.charge();
    await emulator.sandbox(`/charges/${other.id}/pay`);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect((await stream.next())?.data).toMatchObject({ type: "charge.paid", subject: charge.id.slice(3) });
    stream.close();
  });

  it("sends only the requests that the list shows with the same query", async () => {
    const stream = await openStream(emulator, "/_sandbox/requests?status=404");
    await emulator.charge();
    await emulator.call("GET", "/v1/charges/unknown");
    expect((await stream.next())?.data).toMatchObject({ status: 404, path: "/v1/charges/unknown" });
    stream.close();
  });

  it("refuses an unknown filter", async () => {
    const headers = { accept: "text/event-stream" };
    expect((await emulator.call("GET", "/_sandbox/events?kind=x", { headers })).status).toBe(400);
  });
});
