import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { parseObject } from "../../../../base/kernel/json.js";
import { formatMoney } from "../../../../base/kernel/money.js";
import { pick } from "../../../../base/kernel/pick.js";
import { iso } from "../../../../base/kernel/time.js";
import type { Attempt } from "../../../../service/delivery/attempt.js";
import { type EventName, subjectId } from "../../../../service/features/webhooks/catalogue.js";
import type { ClaimedDelivery } from "../../../../service/features/webhooks/store.js";
import type { Io } from "../../terminal/io.js";
import { type Palette, timeText } from "../../terminal/output.js";
import { say, type TerminalText } from "../../terminal/terminal-text.js";

/** The screen of `demo`: what there is, what to try, and then what happens. */

export interface Places {
  readonly url: string;
  readonly shopUrl: string;
  readonly consoleUrl: string;
  readonly testKey: string;
  /** Where the commands can be run. */
  readonly where: string;
}

/** `command` returns a command line that reaches the service of the demo. */
type CommandText = (words: string) => string;

/** Returns the screen that a demo begins with: at most 24 rows of 80 columns. */
export function firstScreen(
  { url, shopUrl, consoleUrl, testKey, where }: Places,
  command: CommandText,
  paint: Palette,
) {
  const { strong, dim } = paint;
  return say`
${strong("qa-pay demo")}: a shop that takes Pix, and the payments service that it uses.

  Shop     ${paint.good(shopUrl)}
  Console  ${consoleUrl}
  Service  ${url} ${dim(`(test key ${testKey})`)}

Three things to try, with the commands in ${where}:

  1. Buy in the shop, and pay with "Pay" ("Pagar") on its payment page.
     ${strong(shopUrl)}
  2. Break the webhooks, and buy again. Each command behind "Why?" explains it.
     ${strong(command("sandbox chaos --corrupt-signature 1"))}
  3. Mend them. The service then sends the refused webhooks again by itself.
     ${strong(command("sandbox chaos off"))}

${dim("It is all in memory: Ctrl-C ends it, and leaves nothing. What happens:")}

`;
}

/** What an event says of an order, besides that its webhook is sent. */
const FACTS: Readonly<Partial<Record<EventName, string>>> = { "charge.created": "placed", "charge.paid": "paid" };

/** `order 1001`, or the id of a charge that no order of the shop has. */
function subjectOf({ type, subject }: ClaimedDelivery, object: unknown): string {
  const order = pick(object, "metadata.order");
  return typeof order === "string" ? `order ${order}` : subjectId(type, subject);
}

/** Prints a line for each order that is placed or paid, and for each attempt of a webhook. */
export function storyLines(out: Io["out"], command: CommandText, paint: Palette) {
  const subjects = new Map<string, string>();
  const line = (subject: string, text: TerminalText) => out(say`  ${paint.strong(subject)}  ${text}\n`);
  return {
    onSending(delivery: ClaimedDelivery): void {
      const object = parseObject(delivery.data);
      const subject = subjectOf(delivery, object);
      subjects.set(ID_PREFIX.event + delivery.event_id, subject);
      const fact = FACTS[delivery.type];
      if (delivery.attempts > 0 || fact === undefined) return;
      line(subject, say`${fact}: ${formatMoney(Number(object.amount), String(object.currency))}`);
    },
    onAttempt({ type, eventId, deliveryId, statusCode, error, durationMs, attempt, nextAttemptAt }: Attempt): void {
      const subject = subjects.get(eventId) ?? eventId;
      if (nextAttemptAt === null) subjects.delete(eventId);
      const answer = statusCode === null ? (error ?? "no answer") : `the shop answered ${statusCode}`;
      if (error === null) {
        line(subject, say`${paint.good("✓")} ${type}: ${answer} in ${durationMs} ms`);
        return;
      }
      const then = nextAttemptAt === null ? "given up" : `again at ${timeText(iso(nextAttemptAt)).slice(11)}`;
      line(subject, say`${paint.bad("✗")} ${type}: ${answer}, ${then}`);
      if (attempt > 1 || !Object.keys(FACTS).includes(type)) return;
      // Of an order that is not paid yet, the sentence would be that nobody has paid.
      const id = type === "charge.paid" ? subject.replace("order ", "") : deliveryId;
      out(say`    Why? ${paint.strong(command(`why ${id}`))}\n`);
    },
    onStop: () => out(say`Stopped.\n`),
  };
}
