import { FAMILIES } from "../../../../base/kernel/webhook-signature.js";
import { EVENT_NAMES, familyOf, isEventName, otherFamily } from "../../../../service/features/webhooks/catalogue.js";
import { sampleEvent } from "../../../../service/webhooks/sample.js";
import { suggestion, usage } from "../../terminal/failure.js";
import { bodyText } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";

export const command = defineCommand({
  command: "webhooks sample",
  summary: "Print the body of an event as the service sends it",
  takes: { "<event>": "name of the event, such as charge.paid" },
  flags: {
    "--format <form>": {
      about: "family of the event; an event of the other family is replaced by its counterpart",
      choices: FAMILIES,
    },
  },
  examples: [
    "qa-pay webhooks sample charge.paid",
    "qa-pay webhooks sample charge.paid --format legacy",
    'qa-pay webhooks sample charge.paid | qa-pay webhooks sign --secret "$SECRET"',
  ],
}).run(async ({ io, given: { event }, flags: { format } }) => {
  if (!isEventName(event)) {
    throw usage(`There is no event ${event}. There are ${EVENT_NAMES.join(", ")}.`, suggestion(event, EVENT_NAMES));
  }
  const name = format === undefined || familyOf(event) === format ? event : otherFamily(event);
  if (name === null) throw usage(`${event} is a ${familyOf(event)} event, and no ${format} event corresponds to it.`);
  io.out(bodyText(io, String(sampleEvent(name)) + (io.isScreen ? "\n" : "")));
});
