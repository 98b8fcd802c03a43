import { expect, it } from "vitest";
import { answerExcerpt } from "../../../src/base/kernel/answer-excerpt.js";

it.each([
  [
    "<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1><p>Nothing &amp; nobody</p></body></html>",
    "a page of HTML (404 Not Found: Not Found Nothing & nobody)",
  ],
  [
    "<!DOCTYPE html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The URL was not found.</p>",
    "a page of HTML (404 Not Found: Not Found The URL was not found.)",
  ],
  [
    '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Error</title></head><body><pre>Cannot POST /hook</pre></body></html>',
    "a page of HTML (Error: Cannot POST /hook)",
  ],
  [
    "<html><style>body { color: red }</style><script>if (a < b) run()</script>Too many</html>",
    "a page of HTML (Too many)",
  ],
  ["<h1>Server error", "a page of HTML (Server error)"],
  ["  <html><script>never closed", "a page of HTML ()"],
  ['{"error": "<html>"}', '{"error": "<html>"}'],
  ["a < b", "a < b"],
  ["", ""],
])("an answer is shown by its words: %s", (body, shown) => {
  expect(answerExcerpt(body, 300)).toBe(shown);
});

it("a long page is as short as its first words, and looked at once only", () => {
  expect(answerExcerpt(`<html>${"<script>".repeat(200_000)}`, 300).length).toBeLessThan(150);
  expect(answerExcerpt(`<html>${"word ".repeat(200_000)}`, 300).length).toBeLessThan(150);
  expect(answerExcerpt("x".repeat(1_000), 300)).toHaveLength(300);
});
