import { expect, it } from "vitest";
import { z } from "zod";
import { IsoInstant } from "../../../src/base/kernel/schemas.js";
import { tablesOf } from "../../../src/service/openapi/columns.js";

const Answer = z
  .object({
    id: z.string(),
    status: z.enum(["paid", "open"]),
    netAmount: z.int(),
    metadata: z.record(z.string(), z.unknown()),
    customer: z.object({ document: z.string().nullable() }).optional(),
    next_release_at: IsoInstant.nullable(),
    endToEndId: z.string(),
    url: z.string(),
    PENDING: z.int(),
    events: z.array(z.string()),
    rows: z.array(z.object({ volume: z.int(), inner: z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]) })),
  })
  .meta({ id: "Columned" });

const columnsOf = (columns: string, rows?: string) => tablesOf(Answer, { columns, ...(rows && { rows }) }).columns;

it("a column has its head from its name, and its format from the schema of the answer", () => {
  expect(columnsOf("status, netAmount, customer.document, next_release_at, endToEndId, url, PENDING, events")).toEqual([
    { path: "status", header: "Status", format: "status" },
    { path: "netAmount", header: "Net amount", format: "money" },
    { path: "customer.document", header: "Document", format: "document" },
    { path: "next_release_at", header: "Next release", format: "time" },
    { path: "endToEndId", header: "End-to-end id" },
    { path: "url", header: "URL" },
    { path: "PENDING", header: "Pending" },
    { path: "events", header: "Events", format: "list" },
  ]);
});

it("a column names its own head, and an object says what its path and schema do not", () => {
  const columns = ["id as Payment", { path: "netAmount", format: "text", ifWide: true }] as const;
  expect(tablesOf(Answer, { columns, below: { rows: "rows", columns: "volume, inner.b" } })).toEqual({
    columns: [
      { path: "id", header: "Payment" },
      { path: "netAmount", header: "Net amount", format: "text", ifWide: true },
    ],
    below: {
      rows: "rows",
      columns: [
        { path: "volume", header: "Volume" },
        { path: "inner.b", header: "B" },
      ],
    },
  });
});

it.each(["amount", "customer.name", "status.code", "events.first", "rows.0.inner.c"])(
  "a column %s is refused that the answer does not have",
  (path) => {
    expect(() => columnsOf(`id, ${path} as Head`)).toThrow(`the answer has no field ${path} for a column`);
    expect(() => columnsOf("id", "rows")).toThrow("the answer has no field id for a column");
  },
);

it("fields inside free JSON, and of the rows of a list, may be columns", () => {
  expect(columnsOf("metadata.failure.reason as Failure, rows.0.volume")).toHaveLength(2);
  expect(columnsOf("inner.a", "rows")).toEqual([{ path: "inner.a", header: "A" }]);
});
