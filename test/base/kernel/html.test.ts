import { expect, it } from "vitest";
import { escapeHtml } from "../../../src/base/kernel/html.js";

it("an escaped text can neither begin an element nor end an attribute", () => {
  expect(escapeHtml(`<b title="x" lang='y'>&amp; café</b>`)).toBe(
    "&lt;b title=&quot;x&quot; lang=&#39;y&#39;&gt;&amp;amp; café&lt;/b&gt;",
  );
});
