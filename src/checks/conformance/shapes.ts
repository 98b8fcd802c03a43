import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { registry } from "../../api/registry.js";
import { isJsonObject, type JsonObject } from "../../base/kernel/json.js";
import { once } from "../../base/kernel/once.js";
import { VERSION } from "../../base/platform/version.js";
import { openApiDocument } from "../../service/openapi/document.js";
import { type CheckedExchange, Deviation } from "./run-context.js";

/**
 * Compares answers with the OpenAPI document of this program. The document of the host is never used: a host would
 * always agree with itself.
 */

const MOST_ISSUES = 3;

function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((found, name) => (isJsonObject(found) ? found[name] : undefined), value);
}

/** The values or the field that the message of Ajv leaves out. */
function detailOf({ params }: ErrorObject): string {
  const { allowedValues, allowedValue, additionalProperty } = params;
  const detail: unknown = allowedValues ?? allowedValue ?? additionalProperty;
  return detail === undefined ? "" : `: ${JSON.stringify(detail)}`;
}

/** The first differences, such as `data.0.amount must be integer`. */
function issuesText(errors: readonly ErrorObject[]): string {
  const texts = errors.map((error) => {
    const where = error.instancePath.slice(1).replaceAll("/", ".");
    return `${where === "" ? "the body" : where} ${error.message}${detailOf(error)}`;
  });
  const more = texts.length > MOST_ISSUES ? `; and ${texts.length - MOST_ISSUES} more` : "";
  return `${texts.slice(0, MOST_ISSUES).join("; ")}${more}`;
}

export type Shapes = ReturnType<typeof createShapes>;

function createShapes() {
  const contracts = registry.map(({ contract }) => contract);
  const document = openApiDocument(contracts, {
    previews: new Set(["charge-list"]),
    sandbox: false,
    version: VERSION,
  });
  // The document has words of OpenAPI beside those of JSON Schema.
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (name: string, schema: JsonObject): ValidateFunction => {
    const known = validators.get(name);
    if (known !== undefined) return known;
    const alone = JSON.stringify({ ...schema, $defs: document.components.schemas });
    const validator = ajv.compile(JSON.parse(alone.replaceAll("#/components/schemas/", "#/$defs/")));
    validators.set(name, validator);
    return validator;
  };
  return {
    /** Throws Deviation when the body differs from what `route`, such as `GET /v1/payments/{id}`, answers with `status`. */
    check(seen: CheckedExchange, route: string, status = 200): void {
      const [method = "", path = ""] = route.split(" ");
      const response = member(document.paths, path, method.toLowerCase(), "responses", String(status));
      const schema = member(response, "content", "application/json", "schema");
      if (!isJsonObject(schema)) throw new Error(`the document has no answer ${status} of ${route}`);
      const validate = validatorOf(`${route} ${status}`, schema);
      if (validate(seen.json)) return;
      const wanted = `The answer to ${route} has the fields and types of its schema.`;
      throw new Deviation(issuesText(validate.errors ?? []), seen, wanted);
    },
    /** Returns the names of the fields of an object, such as Charge, and of those in its member `within`. */
    fieldsOf(object: string, within = ""): string[] {
      const schema = member(document.components.schemas, object);
      const inner = within === "" ? schema : member(schema, "properties", within);
      const properties = member(inner, "properties");
      if (!isJsonObject(properties)) throw new Error(`the document has no fields of ${object} ${within}`);
      return Object.keys(properties);
    },
    /** Returns the fault of an event's payload; null for a right one. */
    eventIssues(event: string, payload: unknown): string | null {
      const schema = member(document.webhooks, event, "post", "requestBody", "content", "application/json", "schema");
      if (!isJsonObject(schema)) return `the document has no event ${event}`;
      const validate = validatorOf(event, schema);
      return validate(payload) ? null : issuesText(validate.errors ?? []);
    },
  };
}

/** The shapes of this program. They are compiled at the first use, because that takes time. */
export const knownShapes = once(createShapes);
