import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";
import { expect } from "vitest";
import type { Loose } from "../../support/emulator.js";

/**
 * Reads what a collector was sent, by the official messages of OTLP. The body must come back from them as it was: a field that
 * they do not have, or a value of another type, would be lost or changed on the way.
 */
const { opentelemetry } = root as Loose;
const Message = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

/** In JSON the ids of OTLP are hexadecimal. In the messages they are bytes. */
const IDS = { traceId: 16, spanId: 8, parentSpanId: 8 } as const;

function withIds(body: Loose, change: (id: Loose, bytes: number) => Loose): Loose {
  const copy = structuredClone(body);
  for (const { scopeSpans } of copy.resourceSpans) {
    for (const span of scopeSpans.flatMap(({ spans }: Loose) => spans)) {
      for (const [name, bytes] of Object.entries(IDS)) if (name in span) span[name] = change(span[name], bytes);
    }
  }
  return copy;
}

function bytesOf(id: string, bytes: number): Buffer {
  expect(id).toMatch(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
  return Buffer.from(id, "hex");
}

/** The spans of a body. */
export function spansIn(raw: string): Loose[] {
  const body = JSON.parse(raw);
  const read = Message.decode(Message.encode(Message.fromObject(withIds(body, bytesOf))).finish());
  const back = Message.toObject(read, { longs: String });
  expect(withIds(back, (id: Uint8Array) => Buffer.from(id).toString("hex"))).toEqual(body);
  const [{ resource, scopeSpans }] = body.resourceSpans;
  expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "qa-pay" } });
  return scopeSpans[0].spans;
}

export const attribute = (span: Loose, key: string): unknown =>
  Object.values(span.attributes.find((one: Loose) => one.key === key)?.value ?? {})[0];
