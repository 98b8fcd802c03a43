import type { ReportFacts } from "../../../src/checks/survive/report/report-html.js";
import { CASES } from "../../../src/emulator/receiver-check/cases.js";
import { judge } from "../../../src/emulator/receiver-check/judge.js";

/** The run of a shop that ships twice, and that says things which are meant to deceive. */

export const SECRET = "5f".repeat(32);
export const KEY = "qa_test_0123456789abcdefghij";
const HOSTILE = `<script>alert(1)</script> "quoted" \u202egnp.exe\u001b[31m\u0000 ${SECRET} ${KEY} password=hunter2`;

export const FACTS: ReportFacts = {
  survival: {
    seed: "winter-<b>",
    schedules: 100,
    survived: 97,
    failed: 3,
    faults: {
      duplicate: { schedules: 41, could_show: 40, failed: 3 },
      lost_until_retry: { schedules: 12, could_show: 12, failed: 0 },
      forged: { schedules: 0, could_show: 0, failed: 0 },
    },
    failures: [
      {
        schedule: 17,
        oracle: "fulfilled_twice",
        text: `Order order-17 went out 2 times. ${HOSTILE}`,
        steps: ["Buy one order of R$ 19,90.", "The payer pays.", "charge.paid comes twice."],
        parts: [],
        command: "npx qa-pay survive --buy /buy --orders /orders --seed winter --only 17 -- node shop.js",
        timeline: [
          { at: "2026-11-26T12:00:00.000Z", text: "charge created" },
          { at: "2026-11-26T12:00:01.000Z", text: HOSTILE },
        ],
        said: `${HOSTILE}\n${"a long line of the shop ".repeat(20)}\n\tat ship (shop.js:12)`,
        stepsBefore: 7,
        faults: ["duplicate"],
        others: 2,
        again: { failed: 3, of: 3 },
        handed: [],
        charge: "ch_0198",
        ms: 1_200,
      },
    ],
    unseen: ["The orders have no column fulfilled, so goods that went out twice cannot be seen."],
    isStopped: false,
    isGone: false,
    trouble: null,
  },
  command: `npx qa-pay survive --webhook-secret ${SECRET} -- node shop.js`,
  startedAt: Date.UTC(2026, 10, 26, 12),
  durationMs: 83_400,
  schedules: [
    { schedule: 1, faults: [], oracles: [] },
    { schedule: 17, faults: ["duplicate", "lost_until_retry"], oracles: ["fulfilled_twice"] },
  ],
  receiver: CASES.map((one) => judge(one, [{ status_code: 200, duration_ms: 3, error: null }])),
  versions: { "qa-pay": "0.1.0", Node: "v22.0.0", Platform: "linux x64" },
  secrets: [SECRET, KEY],
};
