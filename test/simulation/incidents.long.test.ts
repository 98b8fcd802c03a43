import { expect, it } from "vitest";
import { sharedCli, sharedReceiver } from "../support/shared.js";
import { type Figures, wrongStories } from "./incidents.js";
import { seamOfStorage } from "./storage.js";

/**
 * A few stories of the simulation, saved as incidents, replayed and compared. For many of them, with figures:
 * `QA_PAY_STORIES=200 npx vitest run test/simulation/incidents.long.test.ts`
 */

const MANY = Number(process.env.QA_PAY_STORIES ?? 0);
const OF_ONE_RUN = MANY > 0 ? 25 : 3;

const cli = sharedCli();
const receiver = sharedReceiver();

it("stories are the same when they are replayed, and masked files have nothing of a person", async () => {
  const figures: Figures = { stories: 0, webhooks: 0, parts: 0, values: 0, kinds: new Map() };
  const storage = seamOfStorage();
  const wrong: string[] = [];
  const began = performance.now();
  try {
    for (let seed = 29; figures.stories < Math.max(MANY, OF_ONE_RUN); seed++) {
      if (MANY > 0) console.log(seed, figures.stories, wrong);
      wrong.push(...(await wrongStories(seed, OF_ONE_RUN, storage, { cli, receiver, figures })));
    }
  } finally {
    storage.remove();
  }
  if (MANY > 0) console.log({ ...figures, seconds: Math.round((performance.now() - began) / 1_000) });
  expect(wrong).toEqual([]);
  expect(figures.webhooks).toBeGreaterThan(figures.stories);
  expect(figures.parts).toBeGreaterThan(20 * OF_ONE_RUN);
}, 7_200_000);
