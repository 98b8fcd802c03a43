import { describe, expect, it } from "vitest";
import { createFeed } from "../../../src/base/kernel/feed.js";
import type { RealTime } from "../../../src/base/kernel/runtime.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";

/** A feed passes items to its listeners. */

function newFeed() {
  let now = 0;
  const said: [string, unknown][] = [];
  const real: RealTime = { ...realTime, monotonic: () => now };
  const log = { warn: () => undefined, error: (message: string, cause?: unknown) => void said.push([message, cause]) };
  const pass = (ms: number) => {
    now += ms;
  };
  return { feed: createFeed<number>("numbers", real, log), said, pass };
}

it("a feed passes each item to every listener in order, until the listener unsubscribes", () => {
  const { feed, said } = newFeed();
  const heard: string[] = [];
  const stop = feed.subscribe((item) => heard.push(`a${item}`));
  feed.subscribe((item) => heard.push(`b${item}`));
  feed.publish(1);
  stop();
  feed.publish(2);
  expect([heard, feed.size, said]).toEqual([["a1", "b1", "b2"], 1, []]);
});

describe("a listener that throws", () => {
  it("is logged and stays subscribed, and the other listeners get the item", () => {
    const { feed, said } = newFeed();
    const heard: string[] = [];
    const reason = new Error("a bad date");
    feed.subscribe((item) => {
      if (item === 1) throw reason;
      heard.push(`a${item}`);
    });
    feed.subscribe((item) => heard.push(`b${item}`));
    feed.publish(1);
    feed.publish(2);
    expect(heard).toEqual(["b1", "a2", "b2"]);
    expect(said).toEqual([["a listener of numbers failed; it missed one of them", reason]]);
  });

  it("is logged once a minute at most, with the number of errors that were not logged", () => {
    const { feed, said, pass } = newFeed();
    feed.subscribe((item) => {
      throw new Error(`not ${item}`);
    });
    for (let n = 0; n < 1_000; n++) feed.publish(n);
    pass(59_999);
    feed.publish(1_000);
    expect(said).toHaveLength(1);
    pass(1);
    feed.publish(1_001);
    expect(said.map(([message]) => message)).toEqual([
      "a listener of numbers failed; it missed one of them",
      "a listener of numbers failed, after 1000 that were not reported; it missed one of them",
    ]);
  });
});
