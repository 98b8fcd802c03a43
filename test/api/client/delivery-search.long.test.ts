import { describe, expect, it } from "vitest";
import { deliveriesSince, newestDelivery, pagesOf } from "../../../src/api/client/delivery-search.js";

/** Deliveries in a list that knows neither objects nor instants. */

const SECOND = 1_000;

interface One {
  readonly id: string;
  readonly createdAt: string;
  readonly isWanted: boolean;
}

const search = { isWanted: ({ isWanted }: One) => isWanted, mostPages: 300 };

/** One delivery each second; each seventh is wanted, from `since` on. */
function longList(count: number, since: number, growing = false) {
  const one = (at: number, isWanted: boolean) => ({
    ...{ id: `wd_${at}`, createdAt: new Date(at * SECOND).toISOString(), isWanted },
  });
  const list = Array.from({ length: count }, (_none, at): One => one(at, at >= since && at % 7 === 0));
  let pages = 0;
  const read = async (offset: number, limit: number) => {
    pages += 1;
    if (growing && pages % 3 === 0) list.push(one(list.length, false));
    return { data: [...list].reverse().slice(offset, offset + limit), total: list.length };
  };
  const wanted = list.filter(search.isWanted).map(({ id }) => id);
  return { read, wanted, pages: () => pages };
}

describe("those since an instant", () => {
  const idsOf = (found: readonly One[]) => found.map(({ id }) => id);

  it.each([
    ["a short list", 150, 20, false],
    ["one in which others come meanwhile", 1_900, 500, true],
    ["a long one", 30_000, 26_000, false],
    ["a long one in which others come meanwhile", 30_000, 26_000, true],
  ])("are all found in %s, oldest first", async (_what, count, since, growing) => {
    const { read, wanted, pages } = longList(count, since, growing);
    const { found, unseen } = await deliveriesSince(read, since * SECOND, search);
    expect([idsOf(found), unseen]).toEqual([wanted, null]);
    expect(pages()).toBeLessThan(120);
  });

  it("cost few requests when they are new", async () => {
    const { read, wanted, pages } = longList(30_000, 29_950);
    expect(idsOf((await deliveriesSince(read, 29_950 * SECOND, search)).found)).toEqual(wanted);
    expect(pages()).toBeLessThan(15);
  });

  it("are looked for from the instant on, as far as the bound goes", async () => {
    const { read, wanted, pages } = longList(100_000, 10_000);
    const { found, unseen } = await deliveriesSince(read, 10_000 * SECOND, search);
    expect(idsOf(found)).toEqual(wanted.slice(0, found.length));
    expect(found.length).toBeGreaterThan(4_000);
    expect([unseen, pages() < 330]).toEqual([39_959 * SECOND, true]);
  });
});

describe("the newest one", () => {
  it("is found without the pages behind it", async () => {
    const { read, wanted, pages } = longList(1_000, 0);
    expect([(await newestDelivery(read, search))?.id, pages()]).toEqual([wanted.at(-1), 1]);
  });

  it("is none when none is wanted, and when it stands behind the bound", async () => {
    const none = longList(1_000, 2_000);
    expect([await newestDelivery(none.read, search), none.pages()]).toEqual([undefined, 11]);
    const old = longList(1_000, 0);
    const far = { isWanted: ({ id }: One) => id === "wd_7", mostPages: 5 };
    expect([await newestDelivery(old.read, far), old.pages()]).toEqual([undefined, 5]);
  });
});

it("a host that answers no list has no deliveries", async () => {
  for (const answer of [null, "a page", { data: 1 }, { data: [null, "x"], total: "many" }]) {
    expect(await pagesOf(async () => answer)(0, 100)).toEqual({ data: [], total: 0 });
  }
});
