import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { signature } from "../../../src/service/features/webhooks/envelope.js";
import { type SignatureForm, signatureSnippets } from "../../../src/web/console/browser/words/signature-snippets.js";
import { newFolder } from "../../support/folder.js";
import { QUICK_JAVA, testWith } from "../../support/programs.js";
import { shared } from "../../support/shared.js";

/** The code that the console offers for checking a signature: it is run, in each language that this machine has. */

const SECRET = "0123456789abcdef".repeat(4);
const BODY = '{"id":"evt_1","data":{"name":"João"}}';
const TYPES = { canonical: "charge.paid", legacy: "payment.completed" } as const;
const FORMS = ["canonical", "legacy"] as const;

const folder = shared(newFolder);

const headerOf = (form: SignatureForm, at = Date.now()) => signature(TYPES[form], SECRET, BODY, at);
const snippet = (form: SignatureForm, name: string) =>
  signatureSnippets(form).find((one) => one.name === name)?.text ?? "";

/** Body, header and secret of a right signature, of another body, of another secret, and of an old timestamp. */
function questions(form: SignatureForm): string[] {
  const header = headerOf(form);
  return [
    ...[BODY, header, SECRET],
    ...[BODY.replace("evt_1", "evt_2"), header, SECRET],
    ...[BODY, header, "another"],
    ...[BODY, headerOf(form, Date.now() - 600_000), SECRET],
  ];
}

const wanted = (form: SignatureForm) => ["true", "false", "false", form === "canonical" ? "false" : "true"];

const MAIN = `class Main {
    public static void main(String[] given) throws Exception {
        for (int at = 0; at < given.length; at += 3) {
            System.out.println(Webhook.isGenuine(given[at].getBytes(StandardCharsets.UTF_8), given[at + 1], given[at + 2]));
        }
    }
}
`;

/** By language, the end of its files and a program of the code that answers all questions, a line each. */
const PROGRAMS = {
  Node: [
    "mjs",
    (code: string) => `${code}const given = process.argv.slice(2);
while (given.length > 0) console.log(isGenuine(Buffer.from(given.shift()), given.shift(), given.shift()));`,
  ],
  Python: [
    "py",
    (code: string) => `${code}import sys
for at in range(1, len(sys.argv), 3): print(is_genuine(sys.argv[at].encode(), sys.argv[at + 1], sys.argv[at + 2]))`,
  ],
  PHP: [
    "php",
    (code: string) => `${code}for ($at = 1; $at < $argc; $at += 3)
    echo is_genuine($argv[$at], $argv[$at + 1], $argv[$at + 2]) ? 'true' : 'false', "\\n";`,
  ],
  // The first class of a file is the one that Java runs.
  Java: ["java", (code: string) => code.replace(/\n(?=class )/, `\n\n${MAIN}\n`)],
} as const;

describe.each(FORMS)("the code for a %s signature", (form) => {
  const checks = (name: keyof typeof PROGRAMS, program: string, ...flags: readonly string[]) => {
    const [ends, around] = PROGRAMS[name];
    const file = join(folder.path, `${form}.${ends}`);
    writeFileSync(file, `${around(snippet(form, name))}\n`);
    const env = { ...process.env, LC_ALL: "C.UTF-8" };
    const out = execFileSync(program, [...flags, file, ...questions(form)], { encoding: "utf8", env });
    expect(out.trim().toLowerCase().split("\n")).toEqual(wanted(form));
  };
  it("checks in Node", () => checks("Node", process.execPath));
  testWith("python3", "checks in Python", () => checks("Python", "python3"));
  testWith("php", "checks in PHP", () => checks("PHP", "php"));
  testWith("java", "checks in Java", () =>
    checks("Java", "java", ...QUICK_JAVA, "-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8"),
  );

  testWith("openssl", "prints the digest in a shell", () => {
    writeFileSync(join(folder.path, "body.json"), BODY);
    const header = headerOf(form);
    const env = { ...process.env, QA_PAY_WEBHOOK_SECRET: SECRET, T: /^t=(\d+)/.exec(header)?.[1] ?? "" };
    const out = execFileSync("sh", ["-c", snippet(form, "Shell")], { cwd: folder.path, env, encoding: "utf8" });
    expect(header.endsWith(`=${out.trim()}`)).toBe(true);
  });
});
