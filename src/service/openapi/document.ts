import type { Contract } from "../../base/kernel/contract.js";
import { ID_PREFIX, idPattern } from "../../base/kernel/ids.js";
import { identifiersIn, NOUNS, nounOf, pathParameters, prefixesOf } from "../../base/kernel/nouns.js";
import { USUAL_PORT } from "../../base/kernel/page-address.js";
import components from "./components.json" with { type: "json" };
import { ERROR_SCHEMA, errorCodes, errorResponses, headerRefs } from "./errors.js";
import type { DocumentExamples, OperationExample } from "./examples.js";
import {
  type Content,
  createSchemaWriter,
  exampleMember,
  type JsonSchema,
  type OpenApiObject,
  type Parameter,
  queryParameters,
  type Reference,
  type SchemaWriter,
  type WithContent,
  withNulls,
} from "./schemas.js";
import { webhooks } from "./webhooks.js";

/**
 * The patterns of the ids in a path, by name. The control interface takes every id without its prefix too, and a charge by the
 * id of its payment (docs/service/requests.md#ids).
 */
function pathPatterns(path: string): Readonly<Record<string, string>> {
  const isSandbox = nounOf(path) === "sandbox";
  return Object.fromEntries(
    identifiersIn(path).flatMap(({ name, segment }) => {
      const prefixes = prefixesOf(segment);
      if (prefixes.length === 0) return [];
      const also = isSandbox ? ["", ...(segment === "charges" ? [ID_PREFIX.transaction] : [])] : [];
      return [[name, idPattern(...new Set([...prefixes, ...also]))]];
    }),
  );
}

/** The service as an OpenAPI 3.1 document, derived from the contracts that the router serves. */

export interface DocumentOptions {
  /** Names of the previews whose routes are served, as for `qa-pay serve --preview`. */
  readonly previews: ReadonlySet<string>;
  /** True if the document includes the emulator's own control interface. */
  readonly sandbox: boolean;
  readonly version: string;
  /** `EXAMPLES` of src/service/openapi/examples.ts. Left out, the document has none, for readers who need its schemas alone. */
  readonly examples?: DocumentExamples;
}

const NO_EXAMPLES: DocumentExamples = { errors: {}, events: {}, operations: {} };

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: OpenApiObject;
  readonly servers: readonly OpenApiObject[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly webhooks: Readonly<Record<string, OpenApiObject>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, WithContent>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  } & Readonly<Record<"examples" | "headers" | "securitySchemes", Readonly<Record<string, OpenApiObject>>>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly OpenApiObject[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: WithContent;
  readonly responses: Readonly<Record<string, WithContent | Reference>>;
}

const SECURITY: Readonly<Record<Contract["auth"], OpenApiObject[]>> = {
  key: [{ apikey: [] }],
  jwt: [{ bearer: [] }],
  none: [],
};

/** The address at which `qa-pay serve` listens by default. */
const SERVERS = [
  {
    url: "http://127.0.0.1:{port}",
    description: "qa-pay serve on this machine",
    variables: { port: { default: USUAL_PORT } },
  },
];

/** True if a call sends its idempotency key in a header. A key in a field of the body is part of the body's schema. */
function hasKeyHeader({ idempotency }: Contract): boolean {
  return idempotency !== undefined && idempotency.field === undefined;
}

/** One address of an operation, with an id of its own. */
interface Address {
  readonly path: string;
  readonly operationId: string;
  readonly description: string;
}

/**
 * Returns the path of the contract and its aliases, with their ids: `infractions.list` is `med.list` at
 * /v1/infractions.
 */
function addressesOf({ id, path, aliases = [], description }: Contract): Address[] {
  const others = aliases.map((alias) => ({
    path: alias,
    operationId: id.replace(/^[^.]+/, nounOf(alias)),
    description: `Another address of \`${id}\`. ${description}`,
  }));
  return [{ path, operationId: id, description }, ...others];
}

function parametersOf(
  contract: Contract,
  path: string,
  writer: SchemaWriter,
  { parameters = {} }: Partial<OperationExample>,
): (Parameter | Reference)[] {
  const patterns = pathPatterns(path);
  const inPath = pathParameters(path).map(({ name, description }) => ({
    name,
    in: "path",
    required: true,
    ...(description === "" ? {} : { description }),
    schema: { type: "string", ...(patterns[name] === undefined ? {} : { pattern: patterns[name] }) },
    ...exampleMember(parameters[name]),
  }));
  const inQuery = contract.query === undefined ? [] : queryParameters(writer, contract.query);
  return [
    ...inPath,
    ...inQuery.map((parameter) => {
      const text = parameters[parameter.name];
      const isNumber = parameter.schema.type === "integer" && text !== undefined;
      return { ...parameter, ...exampleMember(isNumber ? Number(text) : text) };
    }),
    ...(hasKeyHeader(contract) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
}

/** A file as the content of a request or an answer. */
function fileContent(type: string): Record<string, Content> {
  return { [type]: { schema: { type: "string", format: "binary" } } };
}

function requestBody(
  { body, upload }: Contract,
  writer: SchemaWriter,
  example: Partial<OperationExample>,
): WithContent | undefined {
  if (upload !== undefined) return { required: true, content: fileContent(upload.type) };
  if (body === undefined) return undefined;
  return {
    required: !body.safeParse({}).success,
    content: { "application/json": { schema: withNulls(writer.write(body, "input")), ...exampleMember(example.body) } },
  };
}

function successResponse(contract: Contract, writer: SchemaWriter, example: Partial<OperationExample>): WithContent {
  const { status, description, schema } = contract.success;
  const names = ["X-Request-Id", ...(contract.idempotency === undefined ? [] : ["Idempotent-Replayed"])];
  const headers = headerRefs(names);
  if (status === 204) return { description, headers };
  if (contract.success.file !== undefined) return { description, headers, content: fileContent(contract.success.file) };
  const live = {
    "text/event-stream": {
      schema: { type: "string", description: "With `Accept: text/event-stream`: one server-sent event each, live" },
      ...exampleMember(example.message),
    },
  };
  return {
    description,
    headers,
    content: {
      "application/json": { schema: writer.write(schema, "output"), ...exampleMember(example.answer) },
      ...(contract.stream === undefined ? {} : live),
    },
  };
}

/** Shared by the operations of a document while it is built. */
interface Parts {
  readonly writer: SchemaWriter;
  /** The responses of errors, by name. */
  readonly responses: Record<string, WithContent>;
  readonly examples: DocumentExamples;
}

function operationObject(
  contract: Contract,
  { path, operationId, description }: Address,
  { writer, responses, examples }: Parts,
): OperationObject {
  const example = examples.operations[contract.id] ?? {};
  const sent = requestBody(contract, writer, example);
  const parameters = parametersOf(contract, path, writer, example);
  return {
    operationId,
    summary: contract.summary,
    description,
    tags: [nounOf(contract.path)],
    security: SECURITY[contract.auth],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(sent === undefined ? {} : { requestBody: sent }),
    responses: {
      [contract.success.status]: successResponse(contract, writer, example),
      ...errorResponses(contract, responses, examples.errors),
    },
  };
}

/** Returns the OpenAPI document of the operations that are served, with the schemas that have a name in one place. */
export function openApiDocument(contracts: readonly Contract[], options: DocumentOptions): OpenApiDocument {
  const served = contracts.filter(
    ({ preview, surface }) =>
      (preview === undefined || options.previews.has(preview)) && (surface === "api" || options.sandbox),
  );
  const { examples = NO_EXAMPLES } = options;
  const key = examples === NO_EXAMPLES ? undefined : "order-42";
  const writer = createSchemaWriter();
  const responses: Record<string, WithContent> = {};
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const contract of served) {
    for (const address of addressesOf(contract)) {
      const item = paths[address.path] ?? {};
      item[contract.method.toLowerCase()] = operationObject(contract, address, { writer, responses, examples });
      paths[address.path] = item;
    }
  }
  const nouns = [...new Set(served.map(({ path }) => nounOf(path)))];
  const sent = webhooks(writer, examples.events);
  const codes = new Set<string>(served.flatMap(errorCodes));
  const refusals = Object.entries(examples.errors).filter(([code]) => codes.has(code));
  return {
    openapi: "3.1.1",
    info: {
      title: "qa-pay",
      version: options.version,
      description: components.info,
      contact: { name: "qa-pay contributors" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: SERVERS,
    tags: nouns.map((name) => ({ name, description: NOUNS[name] ?? name })),
    paths,
    webhooks: sent,
    components: {
      schemas: { Error: ERROR_SCHEMA, ...writer.components },
      responses,
      examples: Object.fromEntries(refusals.map(([code, value]) => [code, { value }])),
      headers: components.headers,
      parameters: { IdempotencyKey: { ...components.parameters.IdempotencyKey, ...exampleMember(key) } },
      securitySchemes: components.securitySchemes,
    },
  };
}
