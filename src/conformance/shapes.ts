import { z } from "zod";
import { openApiDocument } from "../openapi/document.js";
import { registry } from "../registry.js";
import { VERSION } from "../version.js";
import { Drift } from "./check.js";
import type { Shapes } from "./types.js";

/**
 * Compares answers with the OpenAPI document of this program. The document of the host is never used: a host would
 * always agree with itself.
 */

const MOST_ISSUES = 3;

type Tree = Readonly<Record<string, unknown>>;

function member(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Tree)[name];
  }
  return found;
}

/** The first differences, such as `data.0.amount: expected number, received string`. */
function issuesText(error: z.ZodError): string {
  const texts = error.issues.map(({ path, message }) => {
    const where = path.length === 0 ? "the body" : path.join(".");
    return `${where}: ${message.replace(/^Invalid input: /, "")}`;
  });
  const more = texts.length > MOST_ISSUES ? `; and ${texts.length - MOST_ISSUES} more` : "";
  return `${texts.slice(0, MOST_ISSUES).join("; ")}${more}`;
}

function createShapes(): Shapes {
  const contracts = registry.map(({ contract }) => contract);
  const document = openApiDocument(contracts, {
    previews: new Set(["charge-list"]),
    sandbox: false,
    version: VERSION,
  });
  const validators = new Map<string, z.ZodType>();
  const validatorOf = (name: string, schema: unknown): z.ZodType => {
    const known = validators.get(name);
    if (known !== undefined) return known;
    const alone = JSON.stringify({ ...(schema as object), $defs: document.components.schemas });
    const made = z.fromJSONSchema(JSON.parse(alone.replaceAll("#/components/schemas/", "#/$defs/")));
    validators.set(name, made);
    return made;
  };
  return {
    check(seen, route, status = 200) {
      const [method = "", path = ""] = route.split(" ");
      const response = member(document.paths, path, method.toLowerCase(), "responses", String(status));
      const schema = member(response, "content", "application/json", "schema");
      if (schema === undefined) throw new Error(`the document has no answer ${status} of ${route}`);
      const { error } = validatorOf(`${route} ${status}`, schema).safeParse(seen.json);
      if (error !== undefined) {
        throw new Drift(issuesText(error), seen, `The answer to ${route} has the fields and types of its schema.`);
      }
    },
    eventIssues(event, payload) {
      const schema = member(document.webhooks, event, "post", "requestBody", "content", "application/json", "schema");
      const { error } = validatorOf(event, schema ?? false).safeParse(payload);
      return error === undefined ? null : issuesText(error);
    },
  };
}

let shapes: Shapes | undefined;

/** The shapes of this program. They are made at the first use, because that takes time. */
export function knownShapes(): Shapes {
  shapes ??= createShapes();
  return shapes;
}
