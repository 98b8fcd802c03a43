import * as z from "zod";
import { HOUR } from "../../../base/kernel/duration.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { defineOperation } from "../../../service/features/operation.js";
import type { Controls } from "../control-interface.js";

/** Settings that make webhooks of the whole server go wrong on purpose (docs/decisions/028-webhook-chaos.md). */

const Probability = z.number().min(0, "must be from 0 to 1").max(1, "must be from 0 to 1");
const DELAY_RANGE = `must be from 0 to ${HOUR} milliseconds`;
const Delay = z.int().min(0, DELAY_RANGE).max(HOUR, DELAY_RANGE);

const SETTINGS = {
  duplicate: Probability.describe("Probability that a delivered webhook is sent once more"),
  reorder: Probability.describe("Probability that a delivery is held back so that a later one overtakes it"),
  delay_ms: Delay.describe("Emulated milliseconds before the first attempt of a delivery"),
  corrupt_signature: Probability.describe("Probability of a wrong digest; below 1 never in a last attempt"),
  stale_timestamp: Probability.describe("Probability of a timestamp 11 minutes old; below 1 never in a last attempt"),
  lose_med: Probability.describe(
    "Probability that an event of a MED case is not published: only the list of cases shows the change",
  ),
  unknown_fields: Probability.describe("Share of deliveries whose object has a field that no document names"),
  unknown_values: Probability.describe("Share of deliveries with a value that is new in a field with a closed list"),
} as const;

const columns =
  "duplicate, reorder, delay_ms, corrupt_signature, stale_timestamp, lose_med, unknown_fields, unknown_values";

const ChaosSettings = z.object(SETTINGS).meta({ id: "ChaosSettings" });

export const showWebhookChaos = defineOperation({
  id: "sandbox.chaos.get",
  route: "GET /_sandbox/webhooks/chaos",
  summary: "Show what goes wrong with webhooks on purpose",
  description: "Answers all settings of webhook chaos as they are. It changes nothing.",
  success: { status: 200, description: "All settings; 0 is off", schema: ChaosSettings },
  cli: {
    command: "sandbox chaos",
    variant: { flag: "show", about: "show the settings and change none" },
    examples: ["qa-pay sandbox chaos --show"],
    columns,
  },
}).control((_, { chaos }: Controls) => chaos.change({}));

export const webhookChaos = defineOperation({
  id: "sandbox.chaos",
  route: "POST /_sandbox/webhooks/chaos",
  summary:
    "Make webhooks arrive twice, late, out of order, badly signed, changed or not at all; without a setting, show all settings",
  description:
    "Changes what goes wrong on purpose with the webhooks of every endpoint, and answers all settings. What is left " +
    "out keeps its value, 0 turns a setting off, `set: off` all of them, and an empty body only shows them. Settings end with the server " +
    "and with a reset.",
  body: z.object({ ...SETTINGS, set: z.enum(["off"]).describe("Turns off every setting that is not named") }).partial(),
  success: {
    status: 200,
    description: "All settings as they are now; a field that was left out kept its value, 0 is off",
    schema: ChaosSettings,
  },
  cli: {
    examples: [
      "qa-pay sandbox chaos --duplicate 0.2 --reorder 0.5",
      "qa-pay sandbox chaos --corrupt-signature 0.1 --stale-timestamp 0.1 --delay-ms 5000",
      "qa-pay sandbox chaos --lose-med 1",
      "qa-pay sandbox chaos --unknown-fields 0.5 --unknown-values 0.2",
      "qa-pay sandbox chaos --duplicate 0",
      "qa-pay sandbox chaos off",
      "qa-pay sandbox chaos",
    ],
    argument: "set",
    mayLackArgument: true,
    columns,
  },
}).control(({ body: { set, ...settings } }, { chaos }: Controls) => {
  const off = byName(namesOf(SETTINGS), () => 0);
  return chaos.change(set === "off" ? { ...off, ...settings } : settings);
});
