import { useCall } from "../../api/use-call.js";
import { Copy } from "../../parts/copy.js";
import { Section } from "../../parts/page.js";
import { Status } from "../../parts/values.js";
import { lineHere } from "../../shell/strip.js";
import { words } from "./words.js";

const ALL_DAYS = 36_500;

/** What to do for a step: run a command, or start what a webhook goes to already. */
function Next({ command, target }: { command: string; target?: string | undefined }) {
  if (target !== undefined) {
    return (
      <span class="hint">
        {words.value.webhooks_go_to} <code>{target}</code>
      </span>
    );
  }
  return (
    <span class="empty-command">
      <code>{lineHere(command)}</code> <Copy text={() => lineHere(command)} />
    </span>
  );
}

/** The first steps with a new server. It ticks itself off, and leaves when all is done. */
export function GettingStarted() {
  const stats = useCall("payments.stats", { query: { days: ALL_DAYS } }, { on: ["transaction"] });
  const delivered = useCall(
    "sandbox.deliveries.list",
    { query: { status: "DELIVERED", limit: 1 } },
    { on: ["attempt"] },
  );
  const endpoints = useCall("webhooks.endpoints.list", {}, { on: ["request"] });
  const figures = stats.state.value.data;
  const deliveries = delivered.state.value.data;
  const known = endpoints.state.value.data;
  if (figures === null || deliveries === null || known === null) return null;
  const target = known.data.find(({ status }) => status === "ACTIVE")?.url;
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
      target,
      command: "qa-pay webhooks endpoints create --events charge.paid --url http://127.0.0.1:3000/webhooks",
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <div class="wide">
      <Section title={words.value.started}>
        <ol class="plain steps-done">
          {steps.map(({ text, isDone, command, target }) => (
            <li key={text}>
              <Status status={isDone ? words.value.done : words.value.open} tone={isDone ? "good" : "wait"} /> {text}{" "}
              {isDone ? null : <Next command={command} target={target} />}
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}
