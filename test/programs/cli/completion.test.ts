import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { camel } from "../../../src/api/client/flag-name.js";
import { GLOBAL_FLAGS } from "../../../src/api/client/flags.js";
import { FIXTURES } from "../../../src/api/fixtures/built-in-fixtures.js";
import { commandTree, operations } from "../../../src/programs/cli/tree/command-tree.js";
import { nameOf, syntaxOf, takesGlobal } from "../../../src/programs/cli/tree/syntax.js";
import { EVENT_NAMES } from "../../../src/service/features/webhooks/catalogue.js";
import { sharedCli } from "../../support/shared.js";

/** `completion`: scripts with the whole command line. That of bash runs in bash; completion.long.test.ts has the others. */

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

interface Place {
  readonly words: readonly string[];
  readonly children: readonly string[];
  readonly flags: readonly string[];
}

const cli = sharedCli();
let places: readonly Place[];
const scripts = new Map<Shell, string>();
const script = (shell: Shell) => scripts.get(shell) ?? "";
const file = (shell: Shell) => join(cli.folder, `qa-pay.${shell}`);
beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, out, err } = await cli.run(["completion", shell]);
    expect([code, err]).toEqual([0, ""]);
    scripts.set(shell, out);
    writeFileSync(file(shell), out);
  }
  places = await placesBehind([]);
});

/** Every place of the command line, as `--help` shows it there. */
async function placesBehind(words: readonly string[]): Promise<Place[]> {
  const { code, out } = await cli.run([...words, "--help"]);
  expect(code).toBe(0);
  const named = (pattern: RegExp) =>
    out.split("\n\n").flatMap((section) => {
      const [title = "", ...lines] = section.split("\n");
      return /^(Usage|Arguments|Examples|Exit codes|Answer|With --json|Beside|Errors)/.test(title)
        ? []
        : lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
    });
  const children = named(/^ {2}([a-z][\w-]*)/).filter((name) => words.length === 0 || name !== "help");
  const own = named(/^ {2}(?:-\w, )?(--[\w-]+)/);
  // The help of a command names the flags of every command in one line.
  const spec = commandTree.find(({ command }) => command === words.join(" "));
  const globals = Object.keys(GLOBAL_FLAGS).map((written) => `--${nameOf(written)}`);
  const taken = globals.filter((name) => spec !== undefined && takesGlobal(syntaxOf(spec), camel(name)));
  const place = { words, children, flags: [...own, ...taken] };
  const deeper = children.filter((name) => name !== "help").map((name) => placesBehind([...words, name]));
  return [place, ...(await Promise.all(deeper)).flat()];
}

/** A bash program: each line of its input holds the words of a command line. Bash finds no other program there. */
const ASK_BASH = `
source "$1" || exit 1
PATH=
while IFS=$'\\x1f' read -r -a COMP_WORDS; do
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 2))
  unset "COMP_WORDS[COMP_CWORD + 1]"
  _qa_pay
  echo "\${COMPREPLY[*]-}"
done`;

/** The words that bash offers for each command line when Tab is pressed at the end of its last word. */
function offersIn(lines: readonly (readonly string[])[]): string[][] {
  const input = lines.map((words) => `${["qa-pay", ...words, "."].join("\x1f")}\n`).join("");
  const words = ["--noprofile", "--norc", "-uc", ASK_BASH, "bash", file("bash")];
  const out = execFileSync("bash", words, { input, encoding: "utf8", timeout: 60_000 });
  return out
    .split("\n")
    .slice(0, lines.length)
    .map((line) => line.split(" ").filter((word) => word !== ""));
}

const offers = (...words: string[]) => offersIn([words])[0];

/** Commands whose first argument is one of a few names. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  trigger: EVENT_NAMES,
  "fixtures run": Object.keys(FIXTURES),
  completion: SHELLS,
};

describe("completion bash", () => {
  it("offers at each place what help shows there", () => {
    expect(places.length).toBeGreaterThan(100);
    const offered = offersIn(places.map(({ words }) => [...words, ""]));
    for (const [index, { words, children, flags }] of places.entries()) {
      const expected = children.length > 0 ? children : (NAMED[words.join(" ")] ?? flags);
      expect([words, offered[index]?.toSorted()]).toEqual([words, [...expected].sort()]);
    }
  });

  it("offers flags when the word begins with a dash, whatever else could follow", () => {
    // Where nothing else could follow, the test before has seen the flags.
    const isNamed = (words: readonly string[]) => Object.hasOwn(NAMED, words.join(" "));
    const wanted = places.filter(({ words }) => words.length === 0 || isNamed(words));
    expect(wanted.length).toBeGreaterThan(3);
    const offered = offersIn(wanted.map(({ words }) => [...words, "--"]));
    for (const [index, { words, flags }] of wanted.entries()) {
      expect([words, offered[index]?.toSorted()]).toEqual([words, [...flags].sort()]);
    }
  });

  it("offers what fits the words", () => {
    const lines: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
      [["c"], ["charges", "completion", "conform", "console"]],
      [["char"], ["charges"]],
      [
        ["med", "evidence", ""],
        ["list", "add", "upload", "complete"],
      ],
      [["med", "evidence", "u"], ["upload"]],
      [
        ["sandbox", "clock", ""],
        ["show", "due", "past", "advance", "freeze", "resume", "speed"],
      ],
      [["webhooks", "v"], ["verify"]],
      [["charges", "create", "--am"], ["--amount"]],
      [["charges", "create", "--amount", "1990", "--am"], ["--amount"]],
      [["charges", "get", "ch_1", "--wat"], ["--watch"]],
      [["help", "med", "evidence", "c"], ["complete"]],
      [["trigger", "charge."], EVENT_NAMES.filter((name) => name.startsWith("charge."))],
      [["trigger", "--set", "amount=5", "payout.p"], ["payout.paid"]],
      [["trigger", "charge.paid", "--ch"], ["--charge"]],
      [["trigger", "--dry"], ["--dry-run"]],
      [["fixtures", "run", "sm"], ["small-shop"]],
      [["--json", "fixtures", "run", "med-r"], ["med-resolved"]],
      [["completion", "b"], ["bash"]],
    ];
    const offered = offersIn(lines.map(([words]) => words));
    for (const [index, [words, expected]] of lines.entries()) {
      expect([words, offered[index]?.toSorted()]).toEqual([words, [...expected].sort()]);
    }
  });

  it("offers flags after the only argument, and no second argument", () => {
    for (const words of [
      ["trigger", "charge.paid"],
      ["fixtures", "run", "small-shop"],
      ["fixtures", "run", "./mine.json"],
    ]) {
      const offered = offers(...words, "");
      expect(offered).toContain("--set");
      expect(offered?.filter((word) => !word.startsWith("--"))).toEqual([]);
    }
  });

  it("knows which words are values of flags, before a command too", () => {
    for (const before of [
      ["--profile", "charges"],
      ["--json", "--profile", "x"],
      ["--profile", "=", "x"],
      ["--json"],
    ]) {
      const both = offersIn([
        [...before, "charges", "cr"],
        [...before, "med", "--api-key", "list", "evidence", "up"],
      ]);
      expect(both).toEqual([["create"], ["upload"]]);
    }
    expect(offers("charges", "create", "--description", "get", "--customer-em")).toEqual(["--customer-email"]);
  });

  it("offers the known values of a flag, also of a list and of a flag that can be null", () => {
    const listed = operations.flatMap(({ command, flags }) =>
      flags.flatMap(({ name, type, choices = [] }) =>
        choices.length === 0 || type === "boolean" ? [] : [{ words: [...command.split(" "), `--${name}`], choices }],
      ),
    );
    expect(listed.length).toBeGreaterThan(20);
    const offered = offersIn(listed.map(({ words }) => [...words, ""]));
    for (const [index, { words, choices }] of listed.entries()) {
      const typable = choices.filter((choice) => !choice.includes(" "));
      expect([words, offered[index]]).toEqual([words, typable]);
    }
    const [{ words = [] } = {}] = listed;
    const behindEquals = offersIn([
      [...words, "="],
      [...words, "=", ""],
    ]);
    expect(behindEquals).toEqual([offered[0], offered[0]]);
    expect(offers("charges", "list", "--output", "json")).toEqual(["json", "jsonl"]);
  });

  it("offers nothing after other words, so that bash itself offers files", () => {
    const lines = [
      ["nonsense", ""],
      ["nonsense", "--"],
      ["charges", "nonsense", ""],
      ["med", "evidence", "nonsense", "--"],
      ["create", ""],
      ["zzz"],
      ["charges", "create", "--amount", ""],
      ["api", "POST", "/v1/charges", "--data", ""],
      ["webhooks", "verify", "./bo"],
      ["fixtures", "run", "./mi"],
      ["trigger", "charge.zz"],
      ["exec", "--", ""],
      ["exec", "--quiet", "--", "npm", "--"],
    ];
    expect(offersIn(lines)).toEqual(lines.map(() => []));
    expect(script("bash")).toContain("\ncomplete -o default -F _qa_pay qa-pay\n");
  });

  it("is registered in bash for qa-pay, and defines nothing else", () => {
    const names = "compgen -v; compgen -A function; complete -p";
    const run = (text: string) =>
      execFileSync("bash", ["--noprofile", "--norc", "-c", text, "bash", file("bash")], { encoding: "utf8" }).split(
        "\n",
      );
    const before = new Set(run(names));
    const after = run(`source "$1"; COMP_WORDS=(qa-pay charges ''); COMP_CWORD=2; _qa_pay; ${names}`);
    const fresh = after.filter((line) => !before.has(line) && !/^(COMP|BASH|PIPE|FUNC|_$)/.test(line));
    expect(fresh).toEqual(["_qa_pay", "_qa_pay_at", "complete -o default -F _qa_pay qa-pay"]);
  });
});

describe("completion zsh", () => {
  it("is the bash script, run by zsh", () => {
    const [head, ...rest] = script("zsh").split("autoload -U +X bashcompinit && bashcompinit\n");
    expect([head, rest]).toEqual(["#compdef qa-pay\n", [script("bash")]]);
  });

  it("uses no name that zsh keeps for completion itself", () => {
    const assigned = [...script("bash").matchAll(/\b([a-zA-Z_]+)=/g)].map((match) => match[1]);
    for (const name of [
      "words",
      "CURRENT",
      "PREFIX",
      "SUFFIX",
      "path",
      "status",
      "argv",
      "prefix",
      "suffix",
      "results",
    ]) {
      expect(assigned).not.toContain(name);
    }
  });
});

describe("completion fish", () => {
  /** The lines that offer something at a place, without their beginning. */
  const linesAt = (words: readonly string[]) => {
    const start = `complete -c qa-pay -n '${["__qa_pay_at", ...words].join(" ")}' `;
    const lines = script("fish").split("\n");
    return lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  };
  const matches = (lines: readonly string[], pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  const setOf = (name: string) =>
    [...(new RegExp(`^set -g ${name} (.*)$`, "m").exec(script("fish"))?.[1] ?? "").matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain,
    );

  it("offers at each place what help shows there", () => {
    for (const { words, children, flags } of places) {
      const lines = linesAt(words);
      expect([words, matches(lines, /^-f -a (\S+) -d '/)]).toEqual([words, children.filter((name) => name !== "help")]);
      if (words.length > 0 && children.length > 0) continue;
      const names = matches(lines, /^-l (\S+)/).map((name) => `--${name}`);
      expect([words, [...names, "--help"].sort()]).toEqual([words, [...flags].sort()]);
    }
  });

  it("knows every place of the command tree, its next words, and which flags take a value", () => {
    const known = places.filter(({ words }) => words.length > 0);
    expect(setOf("__qa_pay_places").sort()).toEqual(known.map(({ words }) => words.join(" ")).sort());
    const groups = places.filter(({ children }) => children.length > 0);
    expect(setOf("__qa_pay_groups").sort()).toEqual(groups.map(({ words }) => words.join(" ")).sort());
    const taking = setOf("__qa_pay_taking");
    for (const name of ["--profile", "--api-key", "--amount", "--output"]) expect(taking).toContain(name);
    for (const name of ["--json", "--quiet", "--yes", "--watch"]) expect(taking).not.toContain(name);
  });

  it("offers the known values of a flag, and files when the flag takes any text", () => {
    expect(linesAt(["charges", "list"])).toContain("-l output -x -a 'table json jsonl csv'");
    expect(linesAt(["api"])).toContain("-l data -r");
    expect(linesAt(["api"])).toContain("-l include");
  });

  it("offers the names of events and fixtures, beside files", () => {
    for (const [place, names] of Object.entries(NAMED)) {
      const [offered, ...others] = matches(linesAt(place.split(" ")), /^-a '([^']+)'$/);
      expect([offered?.split(" ").toSorted(), others]).toEqual([names.toSorted(), []]);
    }
  });

  it("offers help everywhere", () => {
    for (const line of ["-s h -l help", "-n __qa_pay_at -f -a help"]) {
      expect(script("fish")).toContain(`\ncomplete -c qa-pay ${line}\n`);
    }
  });

  it("closes every quote and block that it opens", () => {
    const lines = script("fish").split("\n");
    for (const line of lines) expect([line, (line.match(/(?<!\\)'/g) ?? []).length % 2]).toEqual([line, 0]);
    const opened = lines.filter((line) => /^\s*(if|for|function|while|switch|begin)\b/.test(line)).length;
    expect(lines.filter((line) => /^\s*end$/.test(line))).toHaveLength(opened);
  });
});
