import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { EVENT_NAMES } from "../../../src/service/features/webhooks/catalogue.js";
import { type OperationObject, openApiDocument } from "../../../src/service/openapi/document.js";
import { EXAMPLES } from "../../../src/service/openapi/examples.js";
import type { Loose } from "../../support/emulator.js";
import { faultsBy } from "../../support/schemas.js";

/** The examples of the document, held against its schemas. test/docs/openapi-examples.long.test.ts makes them anew. */

const document = openApiDocument(
  registry.map(({ contract }) => contract),
  { previews: new Set(["charge-list"]), sandbox: true, version: "0", examples: EXAMPLES },
);
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

const faultsIn = faultsBy(document);

/** Returns the faults of an example; empty when it fits its schema. */
const faultsOf = (schema: Loose, example: unknown) =>
  faultsIn(schema, example)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
    .join(", ");

/** The contents that a request or an answer may have, and for each what is said of its example. */
function contentFaults(holder: Loose): string[] {
  return Object.entries<Loose>(holder?.content ?? {}).flatMap(([type, { schema, example, examples }]) => {
    // A file has no example: JSON cannot hold its bytes.
    if (schema.format === "binary") return [];
    const named: Loose[] = Object.values(examples ?? {});
    const given =
      examples === undefined
        ? [example]
        : named.map(({ $ref }) => document.components.examples[$ref.split("/").at(-1)]?.value);
    if (given.length === 0) return [`${type} has no example`];
    return given.flatMap((one) => {
      const faults = one === undefined ? "has no example" : faultsOf(schema, one);
      return faults === "" ? [] : [`${type} ${faults}`];
    });
  });
}

function responseOf(written: Loose): Loose {
  return written.$ref === undefined ? written : document.components.responses[written.$ref.split("/").at(-1)];
}

describe("an example of what is sent and answered", () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    "%s has one for its body and for each status, and they fit",
    (_id, { requestBody, responses }: OperationObject) => {
      const answers = Object.entries(responses).flatMap(([status, written]) =>
        contentFaults(responseOf(written)).map((fault) => `${status}: ${fault}`),
      );
      expect([...contentFaults(requestBody), ...answers]).toEqual([]);
    },
  );

  it("is there for every parameter in a path, and fits, as those in a query do", () => {
    const faults = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((parameter: Loose) => {
        if (parameter.$ref !== undefined || (parameter.in === "query" && !("example" in parameter))) return [];
        const fault = faultsOf(parameter.schema, parameter.example);
        return fault === "" ? [] : [`${operationId} ${parameter.name}: ${fault}`];
      }),
    );
    expect(faults).toEqual([]);
  });

  it("is there for every event, and fits", () => {
    const faults = Object.entries<Loose>(document.webhooks).flatMap(([event, { post }]) =>
      contentFaults(post.requestBody).map((fault) => `${event}: ${fault}`),
    );
    expect(faults).toEqual([]);
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_NAMES].sort());
  });

  it("that does not fit would be found", () => {
    const schema = { $ref: "#/components/schemas/Charge" };
    const charge = EXAMPLES.operations["charges.get"]?.answer as Loose;
    expect(faultsOf(schema, charge)).toBe("");
    expect(faultsOf(schema, { ...charge, status: "PAID" })).not.toBe("");
    expect(faultsOf(schema, { ...charge, created_at: "yesterday" })).not.toBe("");
  });
});

it("a document without examples has the same schemas and nothing of them", () => {
  const bare = openApiDocument(
    registry.map(({ contract }) => contract),
    { previews: new Set(), sandbox: true, version: "0" },
  );
  expect(JSON.stringify(bare)).not.toContain('"example":');
  expect(bare.components.examples).toEqual({});
});
