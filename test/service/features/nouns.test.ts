import { describe, expect, it } from "vitest";
import { CHAPTERS, chapterOf, registry } from "../../../src/api/registry.js";
import { NOUNS } from "../../../src/service/features/index.js";
import { ITEM_TEXTS } from "../../../src/service/features/service-texts.js";
import { JOURNAL_KINDS } from "../../../src/service/features/wallets/entries.js";
import { EVENT_NAMES } from "../../../src/service/features/webhooks/catalogue.js";

/** What a noun brings beside its declaration: this names what is missing. */

const missing = (codes: readonly string[]) => codes.filter((code) => !Object.hasOwn(ITEM_TEXTS, code));

describe("timelines have a text", () => {
  const moved = NOUNS.flatMap(({ machines, timeline }) =>
    machines.flatMap(({ name, transitions }) =>
      timeline
        .filter(({ objects }) => objects?.noun === name)
        .map(({ kind }) => ({ kind, moves: Object.keys(transitions) })),
    ),
  );

  it.each(moved)("for every move of a $kind, and for its beginning", ({ kind, moves }) => {
    expect(missing(["create", ...moves].map((move) => `${kind}.${move}`))).toEqual([]);
  });

  it("for every kind of journal", () => {
    expect(missing(JOURNAL_KINDS.map((kind) => `journal.${kind}`))).toEqual([]);
  });
});

it("every event has the schema of its object, and is reported by a move", () => {
  const objects = NOUNS.flatMap(({ events }) => Object.keys(events));
  const emitted = NOUNS.flatMap(({ machines }) =>
    machines.flatMap(({ initial, transitions }) =>
      [initial, ...Object.values(transitions)].flatMap(({ emits }) => emits),
    ),
  );
  const wordOf = (event: string) => event.replace(/\..*/, "");
  expect(EVENT_NAMES.filter((event) => !objects.includes(event) && !objects.includes(wordOf(event)))).toEqual([]);
  expect(EVENT_NAMES.filter((event) => !emitted.includes(event))).toEqual([]);
});

it("every chapter of documents and help has operations, and every operation has a chapter", () => {
  expect([...new Set(registry.map(chapterOf))].toSorted()).toEqual(CHAPTERS.toSorted());
});
