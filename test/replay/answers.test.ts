import { expect, it } from "vitest";
import { startReceiver } from "../support/receiver.js";
import { everyDelivery, everyList, everyOperation, everyRefusal } from "./scripts.js";
import { startSession } from "./session.js";

/**
 * The answers of about two thousand requests, as statuses and hashes, so that work on speed cannot change a byte of any.
 * After a change of answers that is meant: `npx vitest run --project unit test/replay -u`.
 */
const SCRIPTS = { everyOperation, everyRefusal, everyList, everyDelivery };

/** Hundreds of requests, one after the other: on a machine that is busy with others this takes minutes. */
const LONGEST_MS = 300_000;

it.each(Object.entries(SCRIPTS))(
  "every answer is the recorded one: %s",
  async (name, script) => {
    const receiver = await startReceiver();
    const session = await startSession(name);
    try {
      await script(session.emulator, receiver);
    } finally {
      await session.close();
      await receiver.close();
    }
    await expect(session.answers.join("")).toMatchFileSnapshot(`recorded/${name}.txt`);
  },
  LONGEST_MS,
);
