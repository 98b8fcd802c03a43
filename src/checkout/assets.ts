import type { Page } from "../http/page.js";
import { type TaggedBody, tagged, taggedAnswer } from "../http/tagged-body.js";
import CARD_STYLE from "./browser/card.css?raw";
import CHECKOUT_STYLE from "./browser/checkout.css?raw";
import CHECKOUT from "./browser/checkout.js?raw";
import COPY from "./browser/copy.js?raw";
import COUNTDOWN from "./browser/countdown.js?raw";
import ICON from "./browser/icon.svg?raw";
import LIVE from "./browser/live.js?raw";
import OUTCOME from "./browser/outcome.js?raw";
import STYLE from "./browser/payer.css?raw";
import SIMULATION from "./browser/simulation.js?raw";

/** The scripts and styles of the pages for payers. They hold nothing of any payment, so they need no token. */

const SCRIPT = "text/javascript; charset=utf-8";

const FILES: ReadonlyMap<string, { readonly type: string; readonly text: TaggedBody }> = new Map(
  [
    ["checkout.js", SCRIPT, CHECKOUT] as const,
    ["copy.js", SCRIPT, COPY] as const,
    ["countdown.js", SCRIPT, COUNTDOWN] as const,
    ["live.js", SCRIPT, LIVE] as const,
    ["outcome.js", SCRIPT, OUTCOME] as const,
    ["simulation.js", SCRIPT, SIMULATION] as const,
    ["card.css", "text/css; charset=utf-8", CARD_STYLE] as const,
    ["checkout.css", "text/css; charset=utf-8", CHECKOUT_STYLE] as const,
    ["payer.css", "text/css; charset=utf-8", STYLE] as const,
    ["icon.svg", "image/svg+xml", ICON] as const,
  ].map(([name, type, text]) => [name, { type, text: tagged(text) }]),
);

export const assets: Page = {
  path: "/checkout/assets/{file}",
  render(_reader, { file = "" }, _query, { headers }) {
    const found = FILES.get(file);
    if (found === undefined) return null;
    const type = { "content-type": found.type, "x-content-type-options": "nosniff", "cache-control": "no-cache" };
    return taggedAnswer(found.text, { ...type, "cross-origin-resource-policy": "same-origin" }, headers);
  },
};
