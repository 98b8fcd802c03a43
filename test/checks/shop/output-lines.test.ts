import { expect, it } from "vitest";
import { lastLines } from "../../../src/checks/shop/output-lines.js";

it.each([
  ["Python", '127.0.0.1 - - [28/Nov/2026 15:00:00] "POST /webhooks HTTP/1.1" 200 -', "POST /webhooks 200"],
  [
    "Apache",
    '::1 - - [28/Nov/2026:15:00:00 +0000] "GET /orders HTTP/1.1" 500 12 "-" "qa-pay/0.1.0"',
    "GET /orders 500",
  ],
  ["uvicorn", 'INFO:     127.0.0.1:51000 - "POST /buy HTTP/1.1" 201 Created', "POST /buy 201"],
  ["Django", '[28/Nov/2026 15:00:00] "GET /orders?x=1 HTTP/1.1" 200 2', "GET /orders?x=1 200"],
  ["morgan", "POST /webhooks 404 1.234 ms - 45", "POST /webhooks 404"],
  ["PHP", "[Sat Nov 28 15:00:00 2026] 127.0.0.1:51000 [200]: POST /webhooks", "POST /webhooks 200"],
  [
    "gin",
    '[GIN] 2026/11/28 - 15:00:00 | 200 |     1.2ms |       127.0.0.1 | POST     "/webhooks"',
    "POST /webhooks 200",
  ],
])("a line of a log of requests is short: %s", (_server, line, short) => {
  expect(lastLines(`${line}\n`, 20)).toEqual([short]);
});

it("a line without end is cut", () => {
  expect(lastLines("x".repeat(5_000_000), 20)).toEqual([`${"x".repeat(999)}…`]);
});

it("requests that repeat stand on one line, and leave room for what the shop says itself", () => {
  const hook = '127.0.0.1 - - [28/Nov/2026 15:00:00] "POST /webhooks HTTP/1.1" 200 -\n';
  const connection = "[Sat Nov 28 15:00:00 2026] 127.0.0.1:51000 Accepted\n";
  const output = `Error: no stock\n    at ship (shop.js:4)\n${(connection + hook).repeat(30)}`;
  expect(lastLines(output, 3)).toEqual(["Error: no stock", "    at ship (shop.js:4)", "POST /webhooks 200 (30 times)"]);
});

it.each(["GET ready for customers", "POST /buy failed", "200 orders", "the shop is open"])(
  "any other line stays as it is (%#)",
  (line) => {
    expect(lastLines(line, 20)).toEqual([line]);
  },
);
