import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { ADVICE_CODES } from "../../receiver-check/advice-codes.js";

/** `webhooks test` from the server: it knows the endpoint and its secret. */

const SECONDS = "must be from 1 to 30 seconds";

const Case = z
  .object({
    name: z.string(),
    sends: z.string().meta({ description: "What was sent, in words" }),
    expected: z.string().meta({ description: "2xx, 4xx, or either" }),
    required: z.boolean().meta({ description: "Whether a receiver that answers otherwise is wrong" }),
    verdict: z.enum(["passed", "failed", "noted"]),
    answers: z.array(
      z.object({
        status_code: z.int().nullable().meta({ description: "Null without an answer" }),
        duration_ms: z.int(),
        error: z.string().nullable(),
      }),
    ),
    advice: z.string().nullable().meta({ description: "For a failed case: what to do. Else a note, or null" }),
    advice_code: z.enum(ADVICE_CODES).nullable().meta({ description: "What the advice is about. Null without advice" }),
  })
  .meta({ id: "ReceiverCase" });

const Secret = z.string().min(1, "must not be empty").max(1_000, "must have at most 1000 characters");

export const sandboxTestReceiver = defineOperation({
  id: "sandbox.receivers.test",
  method: "POST",
  path: "/_sandbox/webhooks/test",
  auth: "key",
  surface: "sandbox",
  summary: "Send a receiver what production will one day send it, and judge its answers",
  description:
    "Sends valid, forged, old, repeated, unusual and large deliveries to the URL of an endpoint, signed with its secret, " +
    "or to `url`, signed with the secret of the account, and answers for each case what was sent, how the receiver " +
    "answered, whether that is right and how to mend it. The events are invented, so nothing is stored. The times " +
    "are real. When nobody answers, `reachable` is false and `reason` says why. `url` has the rules of endpoints; a " +
    "case that does not exist is refused. Two tests may run at once.",
  body: z.object({
    endpoint: z.string().optional().meta({ description: "Id of the endpoint to test" }),
    url: z.string().optional().meta({ description: "A receiver that is no endpoint" }),
    secret: Secret.optional().meta({ description: "Signs in place of the secret of the endpoint or the account" }),
    old_secret: Secret.optional().meta({ description: "The secret before a rotation: adds the case old-secret" }),
    only: z.array(z.string()).min(1, "must name at least one case").max(100).optional().meta({
      description: "Only these cases, by name",
    }),
    timeout_seconds: z.int().min(1, SECONDS).max(30, SECONDS).default(5).meta({
      description: "Real seconds for each answer",
    }),
  }),
  success: {
    status: 200,
    description: "Every case with its verdict",
    schema: z.object({
      url: z.string(),
      reachable: z.boolean(),
      reason: z.string().nullable().meta({ description: "Why nobody answers" }),
      passed: z.boolean().meta({ description: "Whether every required case was answered as it should be" }),
      summary: z.object({ passed: z.int(), failed: z.int(), noted: z.int() }),
      hint: z.string().nullable().meta({ description: "What the failures have in common, when that is clear" }),
      cases: z.array(Case),
    }),
  },
  errors: ["not_found"],
  secrets: ["secret", "old_secret"],
  cli: {
    command: "sandbox endpoints test",
    examples: [
      "qa-pay sandbox endpoints test --endpoint we_0198…",
      "qa-pay sandbox endpoints test --url http://localhost:3000/webhooks --only same-event,retry",
    ],
    columns: [
      { header: "URL", path: "url" },
      { header: "Reachable", path: "reachable" },
      { header: "Reason", path: "reason" },
      { header: "Passed", path: "passed" },
      { header: "Hint", path: "hint" },
    ],
    below: {
      rows: "cases",
      columns: [
        { header: "Verdict", path: "verdict", format: "status" },
        { header: "Case", path: "name" },
        { header: "Sent", path: "sends" },
        { header: "Expected", path: "expected" },
        { header: "Advice", path: "advice" },
      ],
    },
    verdict: "passed",
    timeoutMs: 600_000,
  },
}).control(async ({ caller, body }, controls) => {
  const { bookId, accountId } = caller;
  const { endpoint, url, secret, only, old_secret: oldSecret, timeout_seconds: seconds } = body;
  const wanted = { bookId, accountId, endpoint, url, secret, oldSecret, only, timeoutMs: seconds * 1_000 };
  const { results, unreachable, hint, url: tested } = await controls.testReceiver(wanted);
  const count = (verdict: (typeof results)[number]["verdict"]) =>
    results.filter((result) => result.verdict === verdict).length;
  return {
    url: tested,
    reachable: unreachable === null,
    reason: unreachable,
    passed: unreachable === null && count("failed") === 0,
    summary: { passed: count("passed"), failed: count("failed"), noted: count("noted") },
    hint,
    cases: results.map((result) => ({ ...result, answers: [...result.answers] })),
  };
});
