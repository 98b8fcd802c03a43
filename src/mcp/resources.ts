import { type ReadResourceResult, type Resource, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { type Contract, PREVIEWS } from "../kernel/contract.js";
import { openApiDocument } from "../openapi/document.js";
import { VERSION } from "../platform/version.js";
import { callTool } from "./call.js";
import { PAGES } from "./pages.js";
import type { ServicePort } from "./service-port.js";
import type { OperationTool } from "./tools.js";

/** What an agent can read: the rules of the service, the OpenAPI document, and the timeline of an object. */

const OPENAPI = "qa-pay://openapi.json";
const PAGE = "qa-pay://service/";
const TIMELINE = "qa-pay://timeline/";

const MARKDOWN = "text/markdown";
const JSON_TYPE = "application/json";

/** The heading of a page. */
function titleOf(page: string): string {
  return /^# (.+)/.exec(page)?.[1] ?? "";
}

export function resources(): Resource[] {
  const pages = Object.entries(PAGES).map(([file, text]) => ({
    uri: PAGE + file,
    name: file,
    title: titleOf(text),
    mimeType: MARKDOWN,
    size: Buffer.byteLength(text),
  }));
  const openapi = { uri: OPENAPI, name: "openapi.json", title: "OpenAPI 3.1 document", mimeType: JSON_TYPE };
  return [openapi, ...pages];
}

/** The timeline is a resource of emulators only. */
export function resourceTemplates(isEmulator: boolean) {
  if (!isEmulator) return [];
  const description = "What happened to a charge, payment, refund, payout or MED case, and what is due";
  return [{ uriTemplate: `${TIMELINE}{id}`, name: "timeline", title: "Timeline", description, mimeType: JSON_TYPE }];
}

function found(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}

interface Sources {
  readonly port: ServicePort;
  readonly contracts: readonly Contract[];
  readonly timeline: OperationTool;
}

/** Reads a resource. Throws ResourceNotFoundError for an unknown address, and for an object that has no timeline. */
export async function readResource(
  uri: string,
  { port, contracts, timeline }: Sources,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  if (uri === OPENAPI) {
    const { isEmulator } = await port.situation();
    const options = { previews: new Set(PREVIEWS), sandbox: isEmulator, version: VERSION };
    return found(uri, JSON_TYPE, JSON.stringify(openApiDocument(contracts, options)));
  }
  const page = uri.startsWith(PAGE) ? PAGES[uri.slice(PAGE.length)] : undefined;
  if (page !== undefined) return found(uri, MARKDOWN, page);
  if (!uri.startsWith(TIMELINE)) throw new ResourceNotFoundError(uri, `There is no resource ${uri}.`);
  const { content, isError } = await callTool(port, timeline, { id: uri.slice(TIMELINE.length) }, signal);
  const text = content[0]?.type === "text" ? content[0].text : "";
  if (isError) throw new ResourceNotFoundError(uri, `${uri} cannot be read: ${text}`);
  return found(uri, JSON_TYPE, text);
}
