import type { Status } from "../../conformance/check.js";
import { escapeXml } from "../../kernel/html.js";

/** What a command has checked, and the same as JUnit XML, which build servers read. */

export interface Checked {
  /** The part of the report that it stands in. */
  readonly group: string;
  readonly name: string;
  readonly status: Status;
  /** What was seen, on one line. */
  readonly message: string;
  /** All that is worth knowing, in lines; empty when there is nothing to say about what has passed. */
  readonly detail: string;
}

/** XML 1.0 has no way to write the other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
function escaped(text: string): string {
  const plain = text.toWellFormed().replace(FORBIDDEN, "\ufffd");
  // In an attribute a reader would take a line end for a space.
  return escapeXml(plain).replace(/[\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function testCase({ group, name, status, message, detail }: Checked): string {
  const head = `<testcase classname="${escaped(group)}" name="${escaped(name)}"`;
  const inner = {
    passed: detail === "" ? "" : `<system-out>${escaped(detail)}</system-out>`,
    failed: `<failure message="${escaped(message)}">${escaped(detail)}</failure>`,
    skipped: `<skipped message="${escaped(message)}"/>`,
  }[status];
  return inner === "" ? `${head}/>` : `${head}>${inner}</testcase>`;
}

/** `suite` is the command: `qa-pay conform`. */
export function junitXml(suite: string, all: readonly Checked[]): string {
  const count = (wanted: Checked["status"]) => all.filter(({ status }) => status === wanted).length;
  const counts = `tests="${all.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(suite)}" ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...all.map((one) => `    ${testCase(one)}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
