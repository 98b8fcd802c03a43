import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import { projectServers } from "../../support/project-servers.js";

/** `serve --open`: where there is a person with a browser, and where there is none. */

const { at, project, serve } = projectServers();
const file = () => at("bin", "opened");
const opened = () => (existsSync(file()) ? readFileSync(file(), "utf8") : "");

beforeEach(() => {
  mkdirSync(at("bin"));
  // Stands for the program that opens a browser: it notes the address. The test sees it as soon as the name is there.
  writeFileSync(
    at("bin", "xdg-open"),
    `#!/bin/sh\nprintf '%s\\n' "$1" > '${file()}.new'; mv '${file()}.new' '${file()}'\n`,
  );
  chmodSync(at("bin", "xdg-open"), 0o755);
});

const desktop = (): CliOptions => ({
  isScreen: true,
  env: { PATH: `${at("bin")}:${process.env.PATH}`, DISPLAY: ":0" },
});
const start = (words: readonly string[], options: CliOptions) =>
  serve(project("shop"), ["--db", ":memory:", ...words], options);

describe("serve --open", () => {
  it("opens the console when the server is ready", async () => {
    const { ready } = await start(["--open"], desktop());
    await expect.poll(opened).toBe(`${ready.console_url}\n`);
  });

  it.each<[string, readonly string[], () => CliOptions]>([
    ["where standard output is no terminal", ["--open"], () => ({ ...desktop(), isScreen: false })],
    ["where there is no display", ["--open"], () => ({ ...desktop(), env: { ...desktop().env, DISPLAY: "" } })],
    ["without the flag", [], desktop],
  ])("prints the address alone %s", async (_where, words, options) => {
    const server = await start(words, options());
    const { out, err } = await server.stop();
    expect([err, opened()]).toEqual(["", ""]);
    expect(out).toContain(server.ready.console_url);
  });

  it("says so where no program opens a browser, and the server goes on", async () => {
    const options = desktop();
    const server = await start(["--open"], { ...options, env: { ...options.env, PATH: join(at(), "none") } });
    const { code, out, err } = await server.stop();
    expect([code, err]).toEqual([
      0,
      "xdg-open is not there to open a browser. Open the address of the console yourself.\n",
    ]);
    expect(out).toContain(server.ready.console_url);
  });
});
