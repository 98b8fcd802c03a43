import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SignatureForm, signatureSnippets } from "../../src/console/browser/words/signature-snippets.js";
import { signature } from "../../src/delivery/signer.js";
import { newFolder } from "../support/folder.js";
import { testWith } from "../support/programs.js";
import { shared } from "../support/shared.js";

/** The code that the console offers for checking a signature: it is run, in each language that this machine has. */

const SECRET = "0123456789abcdef".repeat(4);
const BODY = '{"id":"evt_1","data":{"name":"João"}}';
const TYPES = { canonical: "charge.paid", legacy: "payment.completed" } as const;
const FORMS = ["canonical", "legacy"] as const;

const folder = shared(newFolder);

const headerOf = (form: SignatureForm, at = Date.now()) => signature(TYPES[form], SECRET, BODY, at);
const snippet = (form: SignatureForm, name: string) =>
  signatureSnippets(form).find((one) => one.name === name)?.text ?? "";

/** Whether the code takes a right signature, another body, another secret, and an old timestamp. */
function answers(form: SignatureForm, ask: (body: string, header: string, secret: string) => string): string[] {
  const header = headerOf(form);
  const old = headerOf(form, Date.now() - 600_000);
  return [
    ask(BODY, header, SECRET),
    ask(BODY.replace("evt_1", "evt_2"), header, SECRET),
    ask(BODY, header, "another"),
    ask(BODY, old, SECRET),
  ].map((text) => text.trim().toLowerCase());
}

const wanted = (form: SignatureForm) => ["true", "false", "false", form === "canonical" ? "false" : "true"];

describe.each(FORMS)("the code for a %s signature", (form) => {
  it("checks in Node", () => {
    const file = join(folder.path, `${form}.mjs`);
    const end = "console.log(isGenuine(Buffer.from(process.argv[2]), process.argv[3], process.argv[4]));";
    writeFileSync(file, `${snippet(form, "Node")}${end}\n`);
    expect(answers(form, (...given) => execFileSync(process.execPath, [file, ...given], { encoding: "utf8" }))).toEqual(
      wanted(form),
    );
  });

  testWith("python3", "checks in Python", () => {
    const file = join(folder.path, `${form}.py`);
    const end = "import sys\nprint(is_genuine(sys.argv[1].encode(), sys.argv[2], sys.argv[3]))";
    writeFileSync(file, `${snippet(form, "Python")}${end}\n`);
    expect(answers(form, (...given) => execFileSync("python3", [file, ...given], { encoding: "utf8" }))).toEqual(
      wanted(form),
    );
  });

  testWith("php", "checks in PHP", () => {
    const file = join(folder.path, `${form}.php`);
    const end = "echo is_genuine($argv[1], $argv[2], $argv[3]) ? 'true' : 'false';";
    writeFileSync(file, `${snippet(form, "PHP")}${end}\n`);
    expect(answers(form, (...given) => execFileSync("php", [file, ...given], { encoding: "utf8" }))).toEqual(
      wanted(form),
    );
  });

  testWith("java", "checks in Java", () => {
    const file = join(folder.path, `${form}.java`);
    const main = `class Main {
    public static void main(String[] given) throws Exception {
        for (int at = 0; at < given.length; at += 3) {
            System.out.println(Webhook.isGenuine(given[at].getBytes(StandardCharsets.UTF_8), given[at + 1], given[at + 2]));
        }
    }
}
`;
    // The first class of a file is the one that Java runs.
    const [imports = "", rest = ""] = snippet(form, "Java").split(/\n(?=class )/);
    writeFileSync(file, `${imports}\n${main}\n${rest}`);
    const header = headerOf(form);
    const given = [
      ...[BODY, header, SECRET],
      ...[BODY.replace("evt_1", "evt_2"), header, SECRET],
      ...[BODY, header, "another"],
      ...[BODY, headerOf(form, Date.now() - 600_000), SECRET],
    ];
    const out = execFileSync("java", ["-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8", file, ...given], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
    expect(out.trim().split("\n")).toEqual(wanted(form));
  });

  testWith("openssl", "prints the digest in a shell", () => {
    writeFileSync(join(folder.path, "body.json"), BODY);
    const header = headerOf(form);
    const env = { ...process.env, QA_PAY_WEBHOOK_SECRET: SECRET, T: /^t=(\d+)/.exec(header)?.[1] ?? "" };
    const out = execFileSync("sh", ["-c", snippet(form, "Shell")], { cwd: folder.path, env, encoding: "utf8" });
    expect(header.endsWith(`=${out.trim()}`)).toBe(true);
  });
});
