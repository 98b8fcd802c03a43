import type { Page } from "../../api/http/page.js";
import { answerTagged, type TaggedBody, tagBody, typeOf } from "../../api/http/tagged-body.js";
import SHAPES from "../../base/pages/shapes.css?raw";
import TOKENS from "../../base/pages/tokens.css?raw";
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

const FILES: ReadonlyMap<string, TaggedBody> = new Map(
  Object.entries({
    "checkout.js": CHECKOUT,
    "copy.js": COPY,
    "countdown.js": COUNTDOWN,
    "live.js": LIVE,
    "outcome.js": OUTCOME,
    "simulation.js": SIMULATION,
    "card.css": CARD_STYLE,
    "checkout.css": CHECKOUT_STYLE,
    "payer.css": TOKENS + SHAPES + STYLE,
    "icon.svg": ICON,
  }).map(([name, text]) => [name, tagBody(text)]),
);

export const assets: Page = {
  path: "/checkout/assets/{file}",
  render(_reader, { file = "" }, _query, { headers }) {
    const found = FILES.get(file);
    if (found === undefined) return null;
    const type = {
      "content-type": typeOf(file) ?? "",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    };
    return answerTagged(found, { ...type, "cross-origin-resource-policy": "same-origin" }, headers);
  },
};
