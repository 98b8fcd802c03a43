import { isPreview, PREVIEWS, type Preview } from "../../base/kernel/contract.js";
import { durationText, parseDuration } from "../../base/kernel/duration.js";
import { alternative } from "../../base/kernel/nearest.js";
import type { Reader } from "../../base/kernel/options.js";
import * as options from "../../base/kernel/options.js";
import { iso } from "../../base/kernel/time.js";
import { isSigningSecret } from "../../base/kernel/webhook-url.js";
import type { Mode } from "./access/catalogue.js";
import { isKeyOf } from "./access/keys.js";
import { FEES_EXAMPLE, type Fees, type FeesInput, readFees } from "./fees.js";
import { EVENT_NAMES, type EventName, isEventName } from "./webhooks/catalogue.js";

/** The kinds of values that settings of the service have. */

/** A value as a flag writes it, for reports and documents. Null means none. */
export type Shown = string | number | boolean | null;

/**
 * The check and the display of a value. `Given` is the type that a program may pass, and `Unit` ends the name of the
 * value: the option `retryBase` is `retryBaseMs` in the service.
 */
export interface Kind<Value, Given = Value, Unit extends string = ""> {
  readonly read: Reader<Value>;
  show(value: Value): Shown;
  readonly unit: Unit;
  /** The form into which the command line converts the text of a flag before `read` checks it; left out for text. */
  readonly written?: "number" | "list" | "json" | "instant" | "file";
  /** A value as a flag writes it, for messages. */
  readonly example?: string;
  /** For types alone: no kind has this member. */
  readonly given?: Given | undefined;
}

/** A kind whose values are shown as they are. */
function plain<Value extends Shown, Given = Value>(read: Reader<Value>): Kind<Value, Given> {
  return { read, show: (value) => value, unit: "" };
}

export const toggle: Kind<boolean> = plain(options.toggle);

export const text = (what: string, form: RegExp): Kind<string> => plain(options.text(what, form));

export const whole = (min: number, max: number): Kind<number> => ({
  ...plain(options.whole(min, max)),
  written: "number",
});

export const duration: Kind<number, number | string, "Ms"> = { read: options.duration, show: durationText, unit: "Ms" };

export const instant: Kind<number, string> = { read: options.instant, show: iso, unit: "", written: "instant" };

export const databaseFile: Kind<string> = { ...text("a file, or :memory:", /./), written: "file" };

export function oneOf<const Value extends string>(...values: readonly Value[]): Kind<Value> {
  return plain((given, refuse) => values.find((one) => one === given) ?? refuse.takes(values.join(" or ")));
}

const hostName = options.text("a host name or address such as 127.0.0.1", /^[^\s/%]+$/);
/** An address of IPv6 has no brackets from here on. */
export const host = plain((given, refuse) => hostName(given, refuse).replace(/^\[(.+)\]$/, "$1"));

export const origin = plain((given, refuse) => {
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  return refuse.takes("a scheme, a host and maybe a port, such as https://pay.example.com");
});

/** An API key. The refusal does not show the value: it may be a real key of another service. */
export function apiKey(mode: Mode): Kind<string> {
  const what = `a key that starts with qa_${mode}_ and goes on with 8 or more of A-Z a-z 0-9 _ -`;
  return plain((given, refuse) =>
    typeof given === "string" && isKeyOf(mode, given) ? given : refuse.says(` takes ${what}.`),
  );
}

export const signingSecret = plain((given, refuse) => {
  if (typeof given === "string" && isSigningSecret(given)) return given;
  const what = "64 hexadecimal digits (0-9 a-f), as secrets of the service have";
  return refuse.says(` takes ${what}. \`openssl rand -hex 32\` creates one.`);
});

/** An address without user, password and query, which may hold a secret. */
function bareAddress(address: string): string {
  if (!URL.canParse(address)) return "an address";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

export const receiverUrl: Kind<string> = {
  ...text("a URL such as https://example.com/webhooks", /./),
  show: bareAddress,
};

/** The refusal does not show the address, because it may contain a password. */
export const mailServer: Kind<string> = {
  read: (given, refuse) =>
    typeof given === "string" && /^smtps?:\/\/[^/]+/.test(given)
      ? given
      : refuse.says(" takes an address such as smtp://localhost:1025."),
  show: bareAddress,
  unit: "",
};

/** The refusal does not show the address, because it may contain a password. */
export const collector: Kind<string> = {
  read(given, refuse) {
    const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : null;
    if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
      return refuse.says(" takes the address of a collector such as http://localhost:4318, without /v1/traces.");
    }
    return url.href.replace(/\/+$/, "");
  },
  show: bareAddress,
  unit: "",
};

/** Null for an empty list. */
function listText(items: Iterable<string>): string | null {
  return [...items].join(",") || null;
}

export const events: Kind<readonly EventName[]> = {
  read(given, refuse) {
    const names: readonly unknown[] =
      Array.isArray(given) && given.length > 0 ? given : refuse.takes("a list of events");
    return names.map((name) => {
      if (typeof name === "string" && isEventName(name)) return name;
      const next = alternative(String(name), EVENT_NAMES) || ".";
      return refuse.says(`: there is no event ${refuse.show(name)}${next} \`qa-pay webhooks events\` lists them.`);
    });
  },
  show: listText,
  unit: "",
  written: "list",
};

/** Hosts, each in the form in which it is compared. */
export function hosts(what: string, read: (text: string) => string | null): Kind<readonly string[]> {
  return {
    read(given, refuse) {
      const list: readonly unknown[] = Array.isArray(given) ? given : refuse.takes(`a list of ${what}`);
      return list.map((one) => {
        const known = typeof one === "string" ? read(one) : null;
        return known ?? refuse.says(` takes ${what}, without scheme and port, not ${refuse.show(one)}.`);
      });
    },
    show: listText,
    unit: "",
    written: "list",
  };
}

/** At most `count` charges within any `windowMs` milliseconds. */
export interface Velocity {
  readonly count: number;
  readonly windowMs: number;
}

export const velocity: Kind<Velocity, string> = {
  read(given, refuse) {
    const [, count = "", window = ""] = /^(\d{1,9})\/(.+)$/.exec(typeof given === "string" ? given : "") ?? [];
    const windowMs = parseDuration(window) ?? 0;
    return Number(count) > 0 && windowMs > 0
      ? { count: Number(count), windowMs }
      : refuse.takes("how many charges in which time, such as 5/60s or 100/1h");
  },
  show: ({ count, windowMs }) => `${count}/${durationText(windowMs)}`,
  unit: "",
};

export const fees: Kind<Fees, FeesInput> = {
  read: readFees,
  show: (table) => (Object.keys(table).length === 0 ? null : JSON.stringify(table)),
  unit: "",
  written: "json",
  example: FEES_EXAMPLE,
};

export const previews: Kind<ReadonlySet<string>, readonly Preview[]> = {
  read(given, refuse) {
    const known = PREVIEWS.join(" or ");
    const names: readonly unknown[] = Array.isArray(given) ? given : refuse.takes(`a list with ${known}`);
    return new Set(
      names.map((name) => (isPreview(name) ? name : refuse.says(` takes ${known}, not ${refuse.show(name)}.`))),
    );
  },
  show: listText,
  unit: "",
  written: "list",
};
