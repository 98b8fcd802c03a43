// @ts-check
import ts from "typescript";

/** Any part of an OpenAPI document. @typedef {{ readonly [key: string]: any }} Part */

/**
 * The schema, with references followed and alternatives side by side.
 * @param {Part | undefined} schema
 * @param {Part} document
 * @returns {Part[]}
 */
function alternatives(schema, document) {
  if (schema === undefined) return [];
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const named = $ref === undefined ? [] : [document.components.schemas[$ref.split("/").at(-1)]];
  return [schema, ...[...named, ...anyOf, ...oneOf, ...allOf].flatMap((one) => alternatives(one, document))];
}

/**
 * A text as a comment of a declaration.
 * @param {string} words
 */
export function comment(words) {
  return `/** ${words.replaceAll("*/", "*\\/").replace(/\s+/g, " ").trim()} */ `;
}

/**
 * The text of a type, with the descriptions of its schema in front of its members. Editors show them.
 * @param {string} text
 * @param {Part | undefined} schema
 * @param {Part} document
 */
export function withWords(text, schema, document) {
  const head = "type T = ";
  const source = ts.createSourceFile("type.ts", head + text, ts.ScriptTarget.Latest, true);
  /** @type {{ at: number, words: string }[]} */
  const found = [];
  /** @type {(node: ts.Node, schemas: readonly Part[]) => void} */
  const visit = (node, schemas) => {
    if (ts.isTypeLiteralNode(node)) {
      for (const member of node.members.filter(ts.isPropertySignature)) {
        const name = ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? member.name.text : "";
        const inner = schemas.flatMap(({ properties }) => alternatives(properties?.[name], document));
        const words = inner.find(({ description }) => description !== undefined)?.description;
        if (words !== undefined) found.push({ at: member.getStart(source) - head.length, words });
        if (member.type !== undefined) visit(member.type, inner);
      }
    } else ts.forEachChild(node, (child) => visit(child, schemas));
  };
  ts.forEachChild(source, (node) => visit(node, alternatives(schema, document)));
  let made = "";
  let done = 0;
  for (const { at, words } of found.sort((a, b) => a.at - b.at)) {
    // A comment belongs to what follows it only when it stands on a line of its own.
    made += `${text.slice(done, at).trimEnd()}\n${comment(words)}`;
    done = at;
  }
  return made + text.slice(done);
}

/**
 * The operation of an OpenAPI document with this id.
 * @param {string} id
 * @param {Part} document
 * @returns {Part}
 */
function operationOf(id, document) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`the document has no operation ${id}`);
  return found;
}

/**
 * Returns the client's description of an operation.
 * @param {string} id
 * @param {Part} document
 */
export function wordsOf(id, document) {
  const { summary, description } = operationOf(id, document);
  return `${summary}. ${description}`;
}

/**
 * The schema of the input of an operation of the client.
 * @param {string} id
 * @param {Part} document
 * @returns {Part}
 */
export function inputSchema(id, document) {
  const { parameters = [], requestBody } = operationOf(id, document);
  /** @type {(place: string) => Part} */
  const inPlace = (place) => ({
    properties: Object.fromEntries(
      parameters
        .filter((/** @type {Part} */ parameter) => parameter.in === place)
        .map((/** @type {Part} */ { name, description }) => [name, { description }]),
    ),
  });
  const { description } = document.components.parameters.IdempotencyKey;
  const body = requestBody?.content["application/json"]?.schema ?? {};
  return { properties: { params: inPlace("path"), query: inPlace("query"), body, idempotencyKey: { description } } };
}
