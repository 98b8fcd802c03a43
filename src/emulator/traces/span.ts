import type { SpanPlace } from "../../base/kernel/trace-context.js";

/** Spans in the JSON of OTLP (OpenTelemetry Protocol 1): ids in hexadecimal, 64-bit numbers as texts, enums as numbers. */

export const KIND = { internal: 1, server: 2, client: 3, producer: 4 } as const;
const FAILED = 2;

type Value = string | number | boolean | null;
export type Attributes = Readonly<Record<string, Value>>;

export interface SpanFacts {
  readonly place: SpanPlace & { readonly parent: string | null };
  readonly name: string;
  readonly kind: keyof typeof KIND;
  /** Real milliseconds since the Unix epoch. */
  readonly endedAt: number;
  readonly durationMs: number;
  /** Those that are null are left out. */
  readonly attributes: Attributes;
  /** Why it failed; null when it did not. */
  readonly failure: string | null;
}

/** The most characters of a value. */
const MAX_TEXT = 512;

function jsonValue(value: Exclude<Value, null>) {
  if (typeof value === "string") return { stringValue: value.slice(0, MAX_TEXT) };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function attributesOf(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: jsonValue(value) }],
  );
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}

export type Span = ReturnType<typeof spanOf>;

export function spanOf({ place, name, kind, endedAt, durationMs, attributes, failure }: SpanFacts) {
  const { traceId, spanId, parent } = place;
  return {
    traceId,
    spanId,
    ...(parent === null ? {} : { parentSpanId: parent }),
    name,
    kind: KIND[kind],
    startTimeUnixNano: nanoseconds(endedAt - durationMs),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes),
    ...(failure === null ? {} : { status: { code: FAILED, message: failure.slice(0, MAX_TEXT) } }),
  };
}

/** The body of a request to a collector. */
export function exportOf(spans: readonly Span[], version: string) {
  const resource = { attributes: attributesOf({ "service.name": "qa-pay", "service.version": version }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "qa-pay", version }, spans }] }] };
}
