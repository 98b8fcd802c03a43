import STYLE from "./browser/console.css?raw";
import SCRIPT from "./browser/console.js?raw";

/** The console's one page: an empty frame that fills itself from `/console/data` and keeps itself fresh. */

/**
 * Returns the one page of the console, which its script fills from `/console/data`. `token` is base64url, so it needs
 * no escape in an attribute.
 */
export function consoleHtml(token: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>qa-pay console</title><style nonce="${token}">${STYLE}</style></head><body>
<header><h1>qa-pay</h1><span id="now"></span><label>Mode <select id="mode"><option>test</option><option>live</option></select></label></header>
<main></main><script nonce="${token}" data-token="${token}">${SCRIPT}</script></body></html>`;
}
