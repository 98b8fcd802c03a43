/** The place of a request in a trace, as in `traceparent` of W3C Trace Context. Pure. */

export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A place in a trace that another program began, with its flags. */
export interface CallerPlace extends SpanPlace {
  readonly flags: string;
}

/** The place of a request in a trace. */
export interface RequestTrace {
  /** The span of the request. */
  readonly span: SpanPlace;
  /** The span of the caller; null when the request came without one. */
  readonly parent: string | null;
  /** The text in the history: a traceparent where the caller sent one, otherwise trace and span alone. */
  readonly kept: string;
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a header `traceparent`; null for one that must be ignored by the standard. */
export function readTraceparent(text: string | undefined): CallerPlace | null {
  const [, version, traceId = "", spanId = "", flags = "", more] = FORM.exec(text ?? "") ?? [];
  // Version 00 has nothing behind its flags. A later one may have.
  const isKnown = version !== undefined && (version !== "00" || more === undefined);
  return isKnown ? { traceId, spanId, flags } : null;
}

export function traceparent({ traceId, spanId }: SpanPlace, flags: string): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** Reads the text of the history. `flags` is null where the caller sent no traceparent. */
export function readStoredPlace(kept: string): SpanPlace & { readonly flags: string | null } {
  const given = readTraceparent(kept);
  if (given !== null) return given;
  const [traceId = "", spanId = ""] = kept.split("-");
  return { traceId, spanId, flags: null };
}
