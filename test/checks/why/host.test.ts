import { describe, expect, it } from "vitest";
import { findSince, newestOf, type WhyHost } from "../../../src/checks/why/host.js";

/** Deliveries of a host that shows them as a list alone. */

const instant = (second: number) => new Date(second * 1_000).toISOString();

/** A host with one delivery each second. `statuses` are those of the wanted ones, by their second. */
function hostWith(count: number, statuses: Readonly<Record<number, string>>): WhyHost {
  const list = Array.from({ length: count }, (_none, at) => ({
    ...{ id: `wd_${at}`, createdAt: instant(at), status: statuses[at] ?? "FAILED" },
    eventType: at in statuses ? "charge.paid" : "charge.created",
  })).reverse();
  const read = (async (address: string) => {
    const query = new URL(address, "http://service.test").searchParams;
    const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
    return { data: list.slice(offset, offset + limit), total: list.length };
  }) as WhyHost["read"];
  return { isEmulator: false, read, mistakeOf: async () => null };
}

const isPaid = ({ eventType }: { readonly eventType: string }) => eventType === "charge.paid";

describe("the deliveries since a payment", () => {
  const found = async (count: number, statuses: Record<number, string>) =>
    (await findSince(hostWith(count, statuses), instant(1_000), isPaid))?.map(({ id }) => id) ?? null;

  it("are found, the newest first, also in a list that is too long to read", async () => {
    expect(await found(4_000, { 1000: "DELIVERED", 1001: "FAILED" })).toEqual(["wd_1001", "wd_1000"]);
    expect(await found(20_000, { 1000: "DELIVERED", 1001: "DELIVERED" })).toEqual(["wd_1001", "wd_1000"]);
  });

  it("are not reported where unread ones may change the answer", async () => {
    // One that failed may have been sent again later.
    expect(await found(20_000, { 1000: "DELIVERED", 1001: "FAILED" })).toBeNull();
    expect(await found(20_000, {})).toBeNull();
    expect(await found(4_000, {})).toEqual([]);
  });
});

it("the newest delivery is found as far as the bound goes", async () => {
  expect((await newestOf(hostWith(9_000, { 100: "FAILED", 8000: "DELIVERED" }), isPaid))?.id).toBe("wd_8000");
  expect(await newestOf(hostWith(9_000, { 100: "FAILED" }), isPaid)).toBeUndefined();
});
