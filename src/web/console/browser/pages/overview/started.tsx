import { Actions } from "../../parts/action.js";
import { CommandLine } from "../../parts/command-line.js";
import { Section } from "../../parts/page.js";
import { Status } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { terms, texts } from "../../state/language.js";
import { addEndpoint } from "../endpoints/actions.js";
import type { Readings } from "./readings.js";

const words = texts("overview");

/** The steps: the button of each, and the command that does the same. */
function stepsOf({ all, delivered, endpoints, payments }: Readings) {
  const unpaid = payments.data?.data.find(({ status }) => status === "PENDING" || status === "WAITING_PAYMENT");
  const target = endpoints.data?.data.find(({ status }) => status === "ACTIVE")?.url;
  return [
    {
      text: words.value.first_charge,
      isDone: (all.data?.totalTransactions ?? 0) > 0,
      button: act("charges.create", {
        label: words.value.make_charge,
        kind: "main",
        body: { amount: 1990, payment_method: "pix" },
      }),
      command: "qa-pay charges create --amount 1990",
    },
    {
      text: words.value.first_paid,
      isDone: (all.data?.paidTransactions ?? 0) > 0,
      button: act("sandbox.charges.pay", {
        label: words.value.pay,
        disabled: unpaid === undefined ? words.value.first_charge : null,
        params: { id: unpaid?.id ?? "" },
        body: {},
      }),
      command: "qa-pay trigger charge.paid",
    },
    {
      text: words.value.first_delivery,
      isDone: (delivered.data?.data.length ?? 0) > 0,
      ...(target === undefined
        ? {
            button: addEndpoint(),
            command: "qa-pay webhooks endpoints create --events charge.paid --url http://127.0.0.1:3000/webhooks",
          }
        : {
            button: (
              <span class="hint">
                {words.value.webhooks_go_to} <code>{target}</code>
              </span>
            ),
            command: null,
          }),
    },
  ];
}

/** The first steps with a new server. Finished steps are ticked off, and the list disappears when all are done. */
export function GettingStarted({ of }: { of: Readings }) {
  const steps = stepsOf(of);
  // Data that could not be read says nothing about a step.
  const isKnown = [of.all, of.delivered, of.endpoints, of.payments].every(({ data }) => data !== null);
  if (!isKnown || steps.every(({ isDone }) => isDone)) return null;
  return (
    <div class="wide">
      <Section title={words.value.started}>
        <Actions>
          <ol class="lines">
            {steps.map(({ text, isDone, button, command }) => (
              <li key={text}>
                <Status status={isDone ? terms.value.done : words.value.open} tone={isDone ? "good" : "plain"} />
                <b>{text}</b>
                {isDone ? null : button}
                {isDone || command === null ? null : <CommandLine of={command} />}
              </li>
            ))}
          </ol>
        </Actions>
      </Section>
    </div>
  );
}
