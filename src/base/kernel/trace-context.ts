/** The place of a request in a trace, as `traceparent` of W3C Trace Context says it. Pure. */

export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A place in a trace that somebody else began, with its flags. */
export interface GivenPlace extends SpanPlace {
  readonly flags: string;
}

/** A request, and the rest of what follows from it. */
export interface RequestTrace {
  /** The span of the request. */
  readonly span: SpanPlace;
  /** The span of the caller; null when the request came without one. */
  readonly parent: string | null;
  /** What the history keeps: a traceparent where the caller sent one, otherwise trace and span alone. */
  readonly kept: string;
}

const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a header `traceparent`; null for one that W3C says to ignore. */
export function readTraceparent(text: string | undefined): GivenPlace | null {
  const [, version, traceId = "", spanId = "", flags = "", more] = FORM.exec(text ?? "") ?? [];
  // Version 00 has nothing behind its flags. A later one may have.
  const isKnown = version !== undefined && (version !== "00" || more === undefined);
  return isKnown ? { traceId, spanId, flags } : null;
}

export function traceparent({ traceId, spanId }: SpanPlace, flags: string): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** What the history keeps of a request, as its parts. `flags` is null where the caller sent no traceparent. */
export function keptPlace(kept: string): SpanPlace & { readonly flags: string | null } {
  const given = readTraceparent(kept);
  if (given !== null) return given;
  const [traceId = "", spanId = ""] = kept.split("-");
  return { traceId, spanId, flags: null };
}
