import { type Outcome, resultOf } from "./check.js";
import { sectionTitle } from "./sections.js";

/** The report as JUnit XML, which CI servers read. A warning is a passed test with its text in system-out. */

/** XML 1.0 has no way to write the other control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};

function escaped(text: string): string {
  const plain = text.toWellFormed().replace(FORBIDDEN, "\ufffd");
  return plain.replace(/[&<>"\n\r\t]/g, (character) => ENTITIES[character] ?? character);
}

function testCase(outcome: Outcome): string {
  const { check, status, isWarned, seen } = outcome;
  const { detail } = resultOf(outcome);
  const head = `<testcase classname="${escaped(sectionTitle(check.section))}" name="${escaped(check.name)}"`;
  const inner = {
    passed: isWarned ? `<system-out>${escaped(detail)}</system-out>` : "",
    failed: `<failure message="${escaped(seen)}">${escaped(detail)}</failure>`,
    skipped: `<skipped message="${escaped(seen)}"/>`,
  }[status];
  return inner === "" ? `${head}/>` : `${head}>${inner}</testcase>`;
}

export function junitXml(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome["status"]) => outcomes.filter(({ status }) => status === wanted).length;
  const counts = `tests="${outcomes.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="qa-pay conform" ${counts}>`,
    `  <testsuite name="qa-pay conform" ${counts}>`,
    ...outcomes.map((outcome) => `    ${testCase(outcome)}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
