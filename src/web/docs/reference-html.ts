import type { Contract } from "../../base/kernel/contract.js";
import { escapeHtml } from "../../base/kernel/html.js";
import { isJsonObject } from "../../base/kernel/json.js";
import { block, inline, pageHtml } from "../../base/pages/page.js";
import type { OpenApiDocument, OperationObject } from "../../service/openapi/document.js";
import type { Content, Reference, WithContent } from "../../service/openapi/schemas.js";
import { type Field, fieldsOf, requiredFields } from "./fields.js";

/** The readable reference: every operation of the OpenAPI document on one page, grouped by noun. */

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

type Schemas = OpenApiDocument["components"]["schemas"];

function fieldHtml({ name, type, isRequired, description }: Field): string {
  const presence = isRequired ? " · required" : "";
  const about = description === "" ? "" : `<dd>${inline(description)}</dd>`;
  return `<dt><code>${escapeHtml(name)}</code> <span class="soft">${escapeHtml(type)}${presence}</span></dt>${about}`;
}

function fieldsHtml(title: string, fields: readonly Field[]): string {
  return fields.length === 0 ? "" : `<h4>${title}</h4>\n<dl>${fields.map(fieldHtml).join("\n")}</dl>`;
}

/** The name of a reference's target. */
const lastOf = ({ $ref }: Reference) => $ref.split("/").at(-1) ?? "";

function parameterFields({ parameters = [] }: OperationObject, document: OpenApiDocument): Field[] {
  return parameters.map((written) => {
    const found = "$ref" in written ? document.components.parameters[lastOf(written)] : written;
    const [field] = fieldsOf({ properties: { value: found?.schema ?? {} } }, document.components.schemas);
    return {
      name: String(found?.name),
      type: `${field?.type ?? "string"}, in ${found?.in}`,
      isRequired: found?.required === true,
      description: found?.description ?? "",
    };
  });
}

/** The JSON in a request or an answer; null for a file and for no content. */
function jsonContent(holder: WithContent | undefined): Content | null {
  return holder?.content?.["application/json"] ?? null;
}

/** The example of a body without its optional fields; all of it when no field is required. */
function shortenBody({ schema, example }: Content, schemas: Schemas): string {
  const whole = isJsonObject(example) ? example : {};
  const required = requiredFields(schema, schemas);
  const shortened = required.length === 0 ? whole : Object.fromEntries(required.map((name) => [name, whole[name]]));
  return JSON.stringify(shortened).replaceAll("'", "'\\''");
}

function curlText({ method, path, operation }: Entry, origin: string, schemas: Schemas): string {
  const [scheme] = operation.security.flatMap((one) => Object.keys(one));
  const json = jsonContent(operation.requestBody);
  const isFile = operation.requestBody !== undefined && json === null;
  const hasKeyHeader = operation.parameters?.some((one) => "$ref" in one && lastOf(one) === "IdempotencyKey") ?? false;
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${origin}${path.replace(/\{(\w+)\}/g, "<$1>")}`,
    ...(scheme === "apikey" ? ['-H "apikey: $QA_PAY_API_KEY"'] : []),
    ...(scheme === "bearer" ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(hasKeyHeader ? ['-H "Idempotency-Key: <unique>"'] : []),
    ...(json === null ? [] : ['-H "Content-Type: application/json"', `-d '${shortenBody(json, schemas)}'`]),
    ...(isFile ? ["-T <file>"] : []),
  ];
  return lines.join(" \\\n  ");
}

function errorsHtml({ responses }: OperationObject, document: OpenApiDocument): string {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const rows = errors.map(([status, written]) => {
    const found = "$ref" in written ? document.components.responses[lastOf(written)] : written;
    const texts = String(found?.description ?? "").split("\n\n");
    return `<dt>${status}</dt>${texts.map((text) => `<dd>${inline(text)}</dd>`).join("")}`;
  });
  return `<details><summary>Errors</summary><dl>${rows.join("\n")}</dl></details>`;
}

function successHtml({ responses }: OperationObject, schemas: Schemas): string {
  const [status = "", response] = Object.entries(responses).find(([code]) => Number(code) < 300) ?? [];
  const answer = response !== undefined && "$ref" in response ? undefined : response;
  const json = jsonContent(answer);
  const title = `<h4>Answer: ${status}, ${inline(answer?.description ?? "")}</h4>`;
  if (json === null) return title;
  const example = block(JSON.stringify(json.example, null, 2));
  const fields = fieldsHtml("Fields", fieldsOf(json.schema, schemas));
  return `${title}\n${example}\n<details><summary>Its fields</summary>${fields}</details>`;
}

/** The fields of a body. An optional field may be null, as if left out; this is not mentioned each time. */
function bodyFields({ schema }: Content, schemas: Schemas): Field[] {
  return fieldsOf(schema, schemas).map((field) => ({ ...field, type: field.type.replace(/ \| null$/, "") }));
}

function operationHtml(entry: Entry, document: OpenApiDocument, command: string | undefined, origin: string): string {
  const { method, path, operation } = entry;
  const { schemas } = document.components;
  const body = jsonContent(operation.requestBody);
  const commandHtml = command === undefined ? "" : `<h4>Command</h4>\n${block(command)}`;
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><a href="#${escapeHtml(operation.operationId)}">${inline(operation.summary)}</a></h3>
<p><span class="method">${method}</span> <code>${escapeHtml(path)}</code></p>
<p>${inline(operation.description)}</p>
${fieldsHtml("Parameters", parameterFields(entry.operation, document))}
${body === null ? "" : fieldsHtml("Body", bodyFields(body, schemas))}
<h4>curl</h4>
${block(curlText(entry, origin, schemas))}
${commandHtml}
${successHtml(operation, schemas)}
${errorsHtml(operation, document)}
</article>`;
}

function entriesOf({ paths }: OpenApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Returns the reference of all operations as one page of HTML, in the groups of the OpenAPI document. */
export function referenceHtml(document: OpenApiDocument, contracts: readonly Contract[], origin: string): string {
  const commands = new Map(contracts.map(({ id, cli }) => [id, cli?.examples[0]]));
  const entries = entriesOf(document);
  const groups = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const link = ({ operation }: Entry) =>
    `<li><a href="#${escapeHtml(operation.operationId)}">${inline(operation.summary)}</a></li>`;
  const nav = groups.map(
    ({ name, entries: own }) =>
      `<details><summary>${escapeHtml(name)}</summary><ul>${own.map(link).join("\n")}</ul></details>`,
  );
  const sections = groups.map(
    ({ name, description, entries: own }) => `<section><h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>
<p class="soft">${inline(description)}</p>
${own.map((entry) => operationHtml(entry, document, commands.get(entry.operation.operationId), origin)).join("\n")}
</section>`,
  );
  const about = String(document.info.description ?? "").split("\n\n");
  return pageHtml({
    language: "en",
    title: "qa-pay reference",
    menu: { title: "Operations", html: nav.join("\n") },
    content: `<h1>Reference</h1>
${about.map((text) => `<p>${inline(text)}</p>`).join("\n")}
<p class="soft">The same as <a href="/openapi.json?sandbox=true">OpenAPI 3.1</a>. Search with your browser.</p>
${sections.join("\n")}`,
  });
}
