import type { Contract } from "../../kernel/contract.js";
import { VERSION } from "../../version.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { jsonText } from "../terminal-text.js";
import type { OpenApiFlags } from "./openapi-options.js";

function previewsOf(flags: OpenApiFlags, contracts: readonly Contract[]): Set<string> {
  const known = new Set(contracts.flatMap(({ preview }) => preview ?? []));
  const asked = new Set(flags.preview?.flatMap((names) => names.split(",")));
  for (const name of asked) {
    if (known.has(name)) continue;
    throw new Failure(EXIT.usage, "usage", `--preview takes ${[...known].join(" or ")}, not ${name}.`);
  }
  return asked;
}

/** Prints the OpenAPI document. It is derived from the contracts, so no server has to run. */
export async function openApi(io: Io, flags: OpenApiFlags): Promise<ExitCode> {
  const { registry } = await import("../../registry.js");
  const { openApiDocument } = await import("../../openapi/document.js");
  const contracts = registry.map(({ contract }) => contract);
  const previews = previewsOf(flags, contracts);
  const document = openApiDocument(contracts, { previews, sandbox: flags.sandbox ?? false, version: VERSION });
  io.out(jsonText(document, 2));
  return EXIT.done;
}
