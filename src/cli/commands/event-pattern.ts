import { EVENT_NAMES } from "../../features/webhooks/catalogue.js";
import { nearest } from "../../kernel/nearest.js";

/** The message for an unknown event. It suggests the most similar name. */
export function unknownEvent(name: string): string {
  const meant = nearest(name, EVENT_NAMES);
  const next = meant === undefined ? "." : `; did you mean ${meant}?`;
  return `there is no event ${name}${next} \`qa-pay webhooks events\` lists them.`;
}

/**
 * Returns a function that tells whether a pattern matches an event's name: `charge.*` matches all names that begin with
 * `charge.`, `*` matches all names. Returns null for a pattern that matches no event of the service. Such a pattern is
 * a typing error; accepted, it would wait for ever, or its condition would always hold.
 */
export function eventPattern(pattern: string): ((name: string) => boolean) | null {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const expression = new RegExp(`^${escaped}$`);
  return EVENT_NAMES.some((name) => expression.test(name)) ? (name) => expression.test(name) : null;
}
