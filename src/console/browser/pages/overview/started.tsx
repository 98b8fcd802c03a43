import { useCall } from "../../api/use-call.js";
import { Copy } from "../../parts/copy.js";
import { Section } from "../../parts/page.js";
import { Status } from "../../parts/values.js";
import { words } from "./words.js";

const ALL_DAYS = 36_500;

/** The first steps with a new server. It ticks itself off, and leaves when all is done. */
export function GettingStarted() {
  const stats = useCall("payments.stats", { query: { days: ALL_DAYS } }, { on: ["transaction"] });
  const delivered = useCall(
    "sandbox.deliveries.list",
    { query: { status: "DELIVERED", limit: 1 } },
    { on: ["attempt"] },
  );
  const figures = stats.state.value.data;
  const deliveries = delivered.state.value.data;
  if (figures === null || deliveries === null) return null;
  const steps = [
    {
      text: words.value.first_charge,
      isDone: figures.totalTransactions > 0,
      command: "qa-pay charges create --amount 1990",
    },
    { text: words.value.first_paid, isDone: figures.paidTransactions > 0, command: "qa-pay trigger charge.paid" },
    {
      text: words.value.first_delivery,
      isDone: deliveries.data.length > 0,
      command: "qa-pay webhooks endpoints create --events charge.paid --url http://127.0.0.1:3000/webhooks",
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <div class="wide">
      <Section title={words.value.started}>
        <ol class="plain steps-done">
          {steps.map(({ text, isDone, command }) => (
            <li key={text}>
              <Status status={isDone ? words.value.done : words.value.open} tone={isDone ? "good" : "wait"} /> {text}{" "}
              {isDone ? null : (
                <span class="empty-command">
                  <code>{command}</code> <Copy text={command} />
                </span>
              )}
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}
