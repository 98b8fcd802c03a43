import { EVENT_NAMES } from "../features/webhooks/catalogue.js";

/**
 * Tells which events a pattern means: `charge.*` every name that begins with `charge.`, `*` all of them. Null for a
 * pattern that fits no event of the service: a slip, which would otherwise wait for ever or hold for nothing.
 */
export function eventPattern(pattern: string): ((name: string) => boolean) | null {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const expression = new RegExp(`^${escaped}$`);
  return EVENT_NAMES.some((name) => expression.test(name)) ? (name) => expression.test(name) : null;
}
