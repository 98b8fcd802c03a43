import { escapeXml } from "../../../base/kernel/html.js";
import type { Status } from "../../../checks/conformance/check.js";

/** The checks of a command, also as JUnit XML, which build servers read. */

export interface ReportCase {
  /** The part of the report that it stands in. */
  readonly group: string;
  readonly name: string;
  readonly status: Status;
  /** The finding on one line. */
  readonly message: string;
  /** All that is worth knowing, in lines; empty when there is nothing to say about what has passed. */
  readonly detail: string;
  /** Real milliseconds that it took, where that was measured. The others share the rest of the whole time. */
  readonly ms?: number;
}

const seconds = (ms: number) => (Math.max(0, ms) / 1_000).toFixed(3);

/** XML 1.0 has no way to write the other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
function escapeAttribute(text: string): string {
  const plain = text.toWellFormed().replace(FORBIDDEN, "\ufffd");
  // In an attribute a reader would take a line end for a space.
  return escapeXml(plain).replace(/[\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function testCase({ group, name, status, message, detail, ms = 0 }: ReportCase): string {
  const head = `<testcase classname="${escapeAttribute(group)}" name="${escapeAttribute(name)}" time="${seconds(ms)}"`;
  const inner = {
    passed: detail === "" ? "" : `<system-out>${escapeAttribute(detail)}</system-out>`,
    failed: `<failure message="${escapeAttribute(message)}">${escapeAttribute(detail)}</failure>`,
    skipped: `<skipped message="${escapeAttribute(message)}"/>`,
  }[status];
  return inner === "" ? `${head}/>` : `${head}>${inner}</testcase>`;
}

/** The cases with their times. Readers add these up, so the sum is the whole time. */
function timed(all: readonly ReportCase[], whole: number): ReportCase[] {
  const measured = all.reduce((sum, { ms = 0 }) => sum + ms, 0);
  const others = all.filter(({ ms }) => ms === undefined).length;
  return all.map((one) => ({ ms: Math.max(0, whole - measured) / others, ...one }));
}

/** `suite` is the command: `qa-pay conform`. `ms` is how long all of it took. */
export function junitXml(suite: string, all: readonly ReportCase[], ms: number): string {
  const count = (wanted: ReportCase["status"]) => all.filter(({ status }) => status === wanted).length;
  const counts = `tests="${all.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
  const totals = `${counts} time="${seconds(ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeAttribute(suite)}" ${totals}>`,
    `  <testsuite name="${escapeAttribute(suite)}" ${totals}>`,
    ...timed(all, ms).map((one) => `    ${testCase(one)}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
