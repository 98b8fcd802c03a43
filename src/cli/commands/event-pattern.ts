import { EVENT_NAMES } from "../../features/webhooks/catalogue.js";
import { nearest } from "../../kernel/nearest.js";

/** Says that there is no such event, and which one was probably meant. */
export function unknownEvent(name: string): string {
  const meant = nearest(name, EVENT_NAMES);
  const next = meant === undefined ? "." : `; did you mean ${meant}?`;
  return `there is no event ${name}${next} \`qa-pay webhooks events\` lists them.`;
}

/**
 * Tells which events a pattern means: `charge.*` every name that begins with `charge.`, `*` all of them. Null for a
 * pattern that fits no event of the service: a slip, which would otherwise wait for ever or hold for nothing.
 */
export function eventPattern(pattern: string): ((name: string) => boolean) | null {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const expression = new RegExp(`^${escaped}$`);
  return EVENT_NAMES.some((name) => expression.test(name)) ? (name) => expression.test(name) : null;
}
