import * as z from "zod";
import { attemptErrorOf } from "../../../base/kernel/attempt-errors.js";
import { namesOf } from "../../../base/kernel/names.js";
import { TextParams, textUpTo } from "../../../base/kernel/schemas.js";
import { defineOperation } from "../../../service/features/operation.js";
import { WebhookUrl } from "../../../service/features/webhooks/actions.js";
import { AttemptErrorMembers } from "../../../service/features/webhooks/resource.js";
import { commonCause, summaryOf, VERDICTS } from "../../receiver-check/judge.js";
import { ADVICE_CODES, ENGLISH } from "../../receiver-check/texts.js";
import type { Controls } from "../control-interface.js";

/** `webhooks test` from the server: it knows the endpoint and its secret. */

const SECONDS = "must be from 1 to 30 seconds";

const Case = z
  .object({
    name: z.enum(namesOf(ENGLISH.cases)).describe("Names what was sent, too"),
    sends: z.string().describe("What was sent, in words"),
    expected: z.string().describe("2xx, 4xx, or either"),
    required: z.boolean().describe("Whether a receiver that answers otherwise is wrong"),
    verdict: z.enum(VERDICTS),
    answers: z.array(
      z.object({
        status_code: z.int().nullable().describe("Null without an answer"),
        duration_ms: z.int(),
        error: z.string().nullable(),
        ...AttemptErrorMembers,
      }),
    ),
    advice: z.string().nullable().describe("For a failed case: what to do. Else a note, or null"),
    advice_code: z.enum(ADVICE_CODES).nullable().describe("What the advice is about. Null without advice"),
    advice_params: TextParams.nullable(),
  })
  .meta({ id: "ReceiverCase" });

const Secret = textUpTo(1_000).min(1, "must not be empty");

export const sandboxTestReceiver = defineOperation({
  id: "sandbox.receivers.test",
  route: "POST /_sandbox/webhooks/test",
  summary: "Send a receiver the webhooks that production can send, and judge its answers",
  description:
    "Sends valid, forged, old, repeated, unusual and large deliveries to the URL of an endpoint, signed with its secret, " +
    "or to `url`, signed with the secret of the account, and answers for each case what was sent, how the receiver " +
    "answered, whether that is right and how to mend it. The events are invented, so nothing is stored. The times " +
    "are real. When nobody answers, `reachable` is false and `reason` says why. `url` has the rules of endpoints; a " +
    "case that does not exist is refused. Two tests may run at once.",
  body: z.object({
    endpoint: z.string().optional().describe("Id of the endpoint to test"),
    url: WebhookUrl.optional().describe("Address of a receiver that is not registered as an endpoint"),
    secret: Secret.optional().describe("Secret to sign with, in place of that of the endpoint or the account"),
    old_secret: Secret.optional().describe("The secret before a rotation: adds the case old-secret"),
    only: z
      .array(z.string())
      .min(1, "must name at least one case")
      .max(100)
      .optional()
      .describe("Only these cases, by name"),
    timeout_seconds: z.int().min(1, SECONDS).max(30, SECONDS).default(5).describe("Real seconds for each answer"),
  }),
  success: {
    status: 200,
    description: "Every case with its verdict",
    schema: z.object({
      url: z.string(),
      reachable: z.boolean(),
      reason: z.string().nullable().describe("Why nobody answers"),
      reason_code: AttemptErrorMembers.error_code,
      reason_params: AttemptErrorMembers.error_params,
      passed: z.boolean().describe("Whether every required case was answered correctly"),
      summary: z.object({ passed: z.int(), failed: z.int(), noted: z.int() }),
      hint: z.string().nullable().describe("What the failures have in common, when that is clear"),
      hint_code: z.enum(namesOf(ENGLISH.hints)).nullable(),
      cases: z.array(Case),
    }),
  },
  errors: ["not_found"],
  timeoutMs: 600_000,
  secrets: ["secret", "old_secret"],
  cli: {
    command: "sandbox endpoints test",
    examples: [
      "qa-pay sandbox endpoints test --endpoint we_0198…",
      "qa-pay sandbox endpoints test --url http://localhost:3000/webhooks --only same-event,retry",
    ],
    columns: "url, reachable, reason, passed, hint",
    below: {
      rows: "cases",
      columns: "verdict, name as Case, sends as Sent, expected, advice",
    },
  },
}).control(async ({ caller, body }, controls: Controls) => {
  const { bookId, accountId } = caller;
  const { endpoint, url, secret, only, old_secret: oldSecret, timeout_seconds: seconds } = body;
  const wanted = { bookId, accountId, endpoint, url, secret, oldSecret, only, timeoutMs: seconds * 1_000 };
  const { results, unreachable, url: tested } = await controls.testReceiver(wanted);
  const { passed, summary, hint } = summaryOf(results);
  const { error: reason, error_code: reason_code, error_params: reason_params } = attemptErrorOf(unreachable);
  return {
    url: tested,
    reachable: unreachable === null,
    reason,
    reason_code,
    reason_params,
    passed: unreachable === null && passed,
    summary,
    hint,
    hint_code: commonCause(results),
    cases: results.map((result) => ({
      ...result,
      answers: result.answers.map((answer) => ({ ...answer, ...attemptErrorOf(answer.error) })),
    })),
  };
});
