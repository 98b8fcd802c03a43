import { alternative } from "../../../base/kernel/nearest.js";
import { EVENT_NAMES } from "../../../service/features/webhooks/catalogue.js";
import { usage } from "../terminal/failure.js";
import { listItems } from "../terminal/read-value.js";

/**
 * Returns a function that tells whether a pattern matches an event's name: `charge.*` matches all names that begin with
 * `charge.`, `*` matches all names. Throws Failure (exit 2) for a pattern that matches no event of the service. Such a
 * pattern is a typing error; accepted, it would wait for ever, or its condition would always hold.
 */
export function eventMatcher(flag: string, pattern: string): (name: string) => boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const expression = new RegExp(`^${escaped}$`);
  if (EVENT_NAMES.some((name) => expression.test(name))) return (name) => expression.test(name);
  const next = alternative(pattern, EVENT_NAMES) || ".";
  throw usage(`${flag}: there is no event ${pattern}${next} \`qa-pay webhooks events\` lists them.`);
}

/** Which events `--events` names: patterns with commas between them. All without it. Throws Failure as `eventMatcher` does. */
export function eventFilter(events: string | undefined): (name: string) => boolean {
  const wanted = events === undefined ? [() => true] : listItems(events).map((name) => eventMatcher("--events", name));
  return (name) => wanted.some((matches) => matches(name));
}
