import { describe, expect, it } from "vitest";
import { listProgress, type NextPage, nextPageOf } from "../../../src/api/client/list-progress.js";
import { scriptedClient } from "../../support/client.js";

/** A list comes nearer to its end with each page, or it is ended. */

const cursor = (value: string): NextPage => ({ field: "after", value });

/** Reads pages until there is a problem. Returns the problem and the number of pages, null when there was none. */
function readAll(pages: Iterable<{ items: readonly unknown[]; next: NextPage }>, most: number) {
  const progress = listProgress();
  let count = 0;
  for (const { items, next } of pages) {
    count += 1;
    progress.takeNew(items);
    const problem = progress.problem({}, items, next);
    if (problem !== null) return { problem: String(problem), count };
    if (count === most) break;
  }
  return { problem: null, count };
}

function* pagesOf(items: (page: number) => readonly unknown[], next: (page: number) => NextPage) {
  for (let page = 0; ; page++) yield { items: items(page), next: next(page) };
}

describe("a list goes on", () => {
  it("as long as its pages bring new objects", () => {
    const pages = pagesOf(
      (page) => [{ id: `a${page}` }],
      (page) => cursor(`c${page}`),
    );
    expect(readAll(pages, 20_000)).toEqual({ problem: null, count: 20_000 });
  });

  it("when a search has found nothing on some pages", () => {
    const pages = pagesOf(
      (page) => (page % 90 === 0 ? [{ id: `a${page}` }] : []),
      (page) => cursor(`c${page}`),
    );
    expect(readAll(pages, 1_000).problem).toBeNull();
  });

  it("when requests have the same id, which their senders choose", () => {
    const pages = pagesOf(
      (page) => [{ id: "mine", number: page }],
      (page) => cursor(`c${page}`),
    );
    expect(readAll(pages, 1_000).problem).toBeNull();
  });

  it("when new objects move all objects of a numbered page to the next one", () => {
    const pages = pagesOf(
      (page) => [{ id: `a${Math.floor(page / 2)}` }],
      (page) => ({ field: "page", value: String(page) }),
    );
    expect(readAll(pages, 1_000).problem).toBeNull();
  });
});

describe("a list is ended", () => {
  it.each([1, 2, 3, 7, 1_000])("when its cursors go in a circle of %i", (length) => {
    const pages = pagesOf(
      (page) => [{ id: `a${page}` }],
      (page) => cursor(`c${page % length}`),
    );
    const { problem, count } = readAll(pages, 10_000);
    expect(problem).toContain("names the same next page again (after c");
    expect(count).toBeLessThanOrEqual(3 * length + 2);
  });

  it("when a page says that there is more, but not where", () => {
    expect(String(listProgress().problem({ has_more: true }, [], null))).toContain("has_more without next_cursor");
    expect(listProgress().problem({ has_more: false }, [], null)).toBeNull();
  });

  it("in the library with an error, after the objects that were read", async () => {
    const page = (cursor_: string) => ({
      status: 200,
      body: { data: [{ id: "a" }], has_more: true, next_cursor: cursor_ },
    });
    const { client, sent } = scriptedClient([page("1"), page("2"), page("3")]);
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const item of client.pages("sandbox.events")) seen.push(item);
    })();
    await expect(reading).rejects.toMatchObject({
      code: "unexpected_answer",
      message: expect.stringContaining("nothing new"),
    });
    expect([seen, sent.length]).toEqual([[{ id: "a" }], 2]);
  });
});

it("the next page is requested by a parameter that the list has", () => {
  const takes =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);
  expect(nextPageOf({ next_cursor: "x" }, 1, takes("starting_after"))).toEqual({ field: "starting_after", value: "x" });
  expect(nextPageOf({ next_cursor: "x" }, 1, takes("limit"))).toBeNull();
  expect(nextPageOf({ page: 1, limit: 2, total: 3 }, 2, takes("page"))).toEqual({ field: "page", value: "2" });
  expect(nextPageOf({ offset: 2, total: 3 }, 1, takes("offset"))).toBeNull();
});
