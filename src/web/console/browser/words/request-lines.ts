import type { Repetition, SentRequest, WrittenRequest } from "../../../../api/client/request-text.js";
import type { Route } from "../../../../api/client/route.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import type { LoggedRequest } from "../../../../service/features/requests/logged-request.js";
import { vitestFile } from "./vitest-file.js";

/** A request of the log as text that sends it again or tests it elsewhere. Pure functions. */

export type AnsweredRequest = SentRequest & Pick<LoggedRequest, "status" | "response_body">;

/** Quotes a text for PowerShell, which also accepts typographic quotes as its end. */
export function powerShellText(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}

/** Windows PowerShell sends a body as ISO-8859-1 unless the type names another encoding. */
function withCharset(type: string): string {
  return /^application\/json\s*$/i.test(type) ? `${type.trim()}; charset=utf-8` : type;
}

/** `Invoke-RestMethod …`. The API key stands in it as a variable. */
export function powerShellLine(
  { method, path, auth, headers: sent, body }: WrittenRequest,
  baseUrl: string,
): Repetition {
  const { "content-type": type = "application/json", ...others } = sent;
  const credential = {
    key: ["'apikey' = $env:QA_PAY_API_KEY"],
    jwt: ["'authorization' = \"Bearer $env:QA_PAY_TOKEN\""],
    none: [],
  }[auth];
  const headers = [
    ...credential,
    ...Object.entries(others).map(([name, value]) => `${powerShellText(name)} = ${powerShellText(value)}`),
  ];
  const data = body === null ? ["-InFile", "body.json"] : ["-Body", powerShellText(body ?? "")];
  const line = [
    ...["Invoke-RestMethod", "-Method", method, "-Uri", powerShellText(baseUrl + path)],
    ...(headers.length === 0 ? [] : ["-Headers", `@{ ${headers.join("; ")} }`]),
    ...(body === undefined ? [] : ["-ContentType", powerShellText(withCharset(type)), ...data]),
  ].join(" ");
  return { line, notes: [] };
}

/** The members of an answer that are the same at each run: no ids, times and addresses. */
export function lastingPart({ status, request_body: sent, response_body: answer }: AnsweredRequest): unknown {
  if (!isJsonObject(answer)) return null;
  if (status >= 400 && isJsonObject(answer.error)) {
    const { type, code, param } = answer.error;
    return { error: { type, code, ...(param === undefined || param === null ? {} : { param }) } };
  }
  const asSent = Object.entries(answer).filter(
    ([name, value]) =>
      name === "object" ||
      name === "status" ||
      (isJsonObject(sent) && typeof value !== "object" && Object.hasOwn(sent, name) && sent[name] === value),
  );
  return asSent.length === 0 ? null : Object.fromEntries(asSent);
}

function literal(value: unknown, indent: string): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
}

/** A test for Vitest that sends the request to an emulator of its own and expects the same answer. */
export function vitestText(entry: AnsweredRequest, { auth, headers: sent }: WrittenRequest): string {
  const { method, path, status, request_body: body } = entry;
  const headers = [
    ...(auth === "key" ? ["apikey: emulator.testKey"] : []),
    ...Object.entries(sent).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const text = typeof body === "string" ? JSON.stringify(body) : `JSON.stringify(${literal(body, "      ")})`;
  const lasting = lastingPart(entry);
  const lines = [
    `const answer = await fetch(emulator.url + ${JSON.stringify(path)}, {`,
    `  method: ${JSON.stringify(method)},`,
    `  headers: { ${headers.join(", ")} },`,
    ...(body === null ? [] : [`  body: ${text},`]),
    "});",
    `expect(answer.status).toBe(${status});`,
    ...(lasting === null ? [] : [`expect(await answer.json()).toMatchObject(${literal(lasting, "    ")});`]),
  ];
  return vitestFile({ title: `${method} ${path} answers ${status}`, lines });
}

/** The reason why a request of the log cannot be sent again as it was; null when it can. */
export function reasonNotToSend({ path, headers, body }: WrittenRequest): "not_kept" | "secret" | "not_json" | null {
  if (body === null) return "not_kept";
  if (`${path}${body ?? ""}`.includes("[not logged]")) return "secret";
  if (/\[\d+ characters, not kept\]/.test(`${path}${body ?? ""}`)) return "not_kept";
  return body !== undefined && !/^application\/json\b/i.test(headers["content-type"] ?? "") ? "not_json" : null;
}

/** The body with another idempotency key, when the key is a field of the body. */
export function withBodyKey(route: Route | undefined, body: unknown, key: string): unknown {
  if (route?.key === undefined || route.key === "header" || !isJsonObject(body)) return body;
  return { ...body, [route.key]: key };
}
