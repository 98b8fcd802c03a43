import * as z from "zod";
import { TextParams } from "../../base/kernel/schemas.js";
import type { LiveStream } from "./live-stream.js";

/** The findings until now of a run of `qa-pay survive`. The command starts an emulator for its run, and reports to it. */

const Part = z.object({ code: z.string(), params: TextParams });

export const Survival = z.object({
  state: z.enum(["none", "running", "over"]).describe("none: no survive run belongs to this emulator"),
  seed: z.string().nullable(),
  planned: z.int().describe("How many schedules there will be at most"),
  schedules: z.int().describe("How many schedules were run until now"),
  survived: z.int(),
  failed: z.int(),
  faults: z
    .record(z.string(), z.object({ schedules: z.int(), could_show: z.int(), failed: z.int() }))
    .describe(
      "For each fault: its schedules, those in which it could take effect, and those in which the shop failed because of it",
    ),
  shortening: z
    .object({ schedule: z.int(), oracle: z.string() })
    .nullable()
    .describe("The failure that is being shortened now"),
  failures: z
    .array(
      z.object({
        schedule: z.int(),
        oracle: z.string().describe("What was wrong at the end"),
        text: z.string(),
        steps: z.array(z.object({ text: z.string(), parts: z.array(Part.extend({ step: Part.optional() })) })),
        charge: z.string().nullable().describe("The charge that it is about"),
        command: z.string().describe("Command that runs this schedule alone"),
      }),
    )
    .describe("One failure of each kind"),
});

export type SurvivalNow = z.infer<typeof Survival>;

export const NO_SURVIVAL: SurvivalNow = {
  state: "none",
  seed: null,
  planned: 0,
  schedules: 0,
  survived: 0,
  failed: 0,
  faults: {},
  shortening: null,
  failures: [],
};

/** Keeps it for the console and for commands. */
export function createSurvivalBoard(publish: LiveStream["publish"]) {
  let now = NO_SURVIVAL;
  return {
    survival: () => now,
    reportSurvival(next: SurvivalNow): void {
      now = next;
      const { state, schedules, failed } = next;
      publish({ bookId: null, kind: "survive", data: { state, schedules, failed } });
    },
  };
}
