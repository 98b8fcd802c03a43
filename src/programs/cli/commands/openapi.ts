import type { FlagsOf } from "../../../api/client/flags.js";
import { isPreview, PREVIEWS } from "../../../base/kernel/contract.js";
import { VERSION } from "../../../base/platform/version.js";
import { wrongValue } from "../terminal/failure.js";
import { jsonText } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

const FLAGS = {
  "--sandbox": "with the emulator's own control interface, /_sandbox",
  "--preview <names...>": `with routes that are not released yet: ${PREVIEWS.join(", ")}`,
} as const;

type OpenApiFlags = FlagsOf<typeof FLAGS>;

function previewsOf(flags: OpenApiFlags): Set<string> {
  const wanted = new Set(flags.preview?.flatMap((names) => names.split(",")));
  for (const name of wanted) {
    if (isPreview(name)) continue;
    throw wrongValue("--preview", PREVIEWS.join(" or "), name);
  }
  return wanted;
}

// The document follows from the contracts, so no server has to run.
export const command = defineCommand({
  command: "openapi",
  summary: "Print the OpenAPI 3.1 document of the service (needs no server)",
  flags: FLAGS,
  examples: ["qa-pay openapi > openapi.json", "qa-pay openapi --sandbox --preview charge-list"],
}).run(async ({ io, flags }) => {
  const { registry } = await import("../../../api/registry.js");
  const { openApiDocument } = await import("../../../service/openapi/document.js");
  const { EXAMPLES: examples } = await import("../../../service/openapi/examples.js");
  const contracts = registry.map(({ contract }) => contract);
  const previews = previewsOf(flags);
  const options = { previews, sandbox: flags.sandbox ?? false, version: VERSION, examples };
  const document = openApiDocument(contracts, options);
  io.out(jsonText(document, 2));
});
