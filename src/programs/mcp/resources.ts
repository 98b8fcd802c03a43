import { type ReadResourceResult, type Resource, ResourceNotFoundError } from "@modelcontextprotocol/server";
import charges from "../../../docs/service/charges.md?raw";
import errors from "../../../docs/service/errors.md?raw";
import glossary from "../../../docs/service/glossary.md?raw";
import idempotency from "../../../docs/service/idempotency.md?raw";
import keys from "../../../docs/service/keys.md?raw";
import med from "../../../docs/service/med.md?raw";
import payments from "../../../docs/service/payments.md?raw";
import payouts from "../../../docs/service/payouts.md?raw";
import start from "../../../docs/service/README.md?raw";
import refunds from "../../../docs/service/refunds.md?raw";
import requests from "../../../docs/service/requests.md?raw";
import sandbox from "../../../docs/service/sandbox.md?raw";
import wallets from "../../../docs/service/wallets.md?raw";
import webhooks from "../../../docs/service/webhooks.md?raw";
import { type Contract, PREVIEWS } from "../../base/kernel/contract.js";
import { VERSION } from "../../base/platform/version.js";
import { openApiDocument } from "../../service/openapi/document.js";
import { callTool } from "./call.js";
import type { ServicePort } from "./service-port.js";
import type { AgentTool } from "./tools.js";

/** The rules of the service, page by page, as Markdown. They are part of the package, so that an agent can read them anywhere. */
const PAGES: Readonly<Record<string, string>> = {
  "README.md": start,
  "requests.md": requests,
  "keys.md": keys,
  "idempotency.md": idempotency,
  "charges.md": charges,
  "payments.md": payments,
  "refunds.md": refunds,
  "wallets.md": wallets,
  "payouts.md": payouts,
  "med.md": med,
  "webhooks.md": webhooks,
  "errors.md": errors,
  "sandbox.md": sandbox,
  "glossary.md": glossary,
};

/** The resources for an agent: the rules of the service, the OpenAPI document, and the timeline of an object. */

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
  const description = "The history of a charge, payment, refund, payout or MED case, and the work that is due";
  return [{ uriTemplate: `${TIMELINE}{id}`, name: "timeline", title: "Timeline", description, mimeType: JSON_TYPE }];
}

function textResult(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}

interface Sources {
  readonly port: ServicePort;
  readonly contracts: readonly Contract[];
  readonly timeline: AgentTool;
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
    return textResult(uri, JSON_TYPE, JSON.stringify(openApiDocument(contracts, options)));
  }
  const page = uri.startsWith(PAGE) ? PAGES[uri.slice(PAGE.length)] : undefined;
  if (page !== undefined) return textResult(uri, MARKDOWN, page);
  if (!uri.startsWith(TIMELINE)) throw new ResourceNotFoundError(uri, `There is no resource ${uri}.`);
  const { content, isError } = await callTool(port, timeline, { id: uri.slice(TIMELINE.length) }, signal);
  const text = content[0]?.type === "text" ? content[0].text : "";
  if (isError) throw new ResourceNotFoundError(uri, `${uri} cannot be read: ${text}`);
  return textResult(uri, JSON_TYPE, text);
}
