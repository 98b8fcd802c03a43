import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type CliOptions, type TestCli, testCli } from "./cli.js";
import type { Loose } from "./emulator.js";
import { beginServe, type Serving } from "./running.js";

/** Folders of projects below the folder of a test, with their servers, which are stopped after each test. */
export interface ProjectServers {
  readonly cli: TestCli;
  /** A path below the folder of the test. */
  at(...names: string[]): string;
  /** Makes the folder of a project. */
  project(name: string): string;
  serve(cwd: string, words?: readonly string[], options?: CliOptions): Promise<Serving>;
  stop(server: Serving): ReturnType<Serving["stop"]>;
  serverFile(folder: string): string;
  /** The id of a charge that a command in this folder makes. */
  create(cwd: string): Promise<string>;
  /** The content of `server.json` of a project. */
  written(folder: string): Loose;
}

/** Call it outside of the tests of a file: each of them gets a folder of its own. */
export function projectServers(): ProjectServers {
  let cli: TestCli;
  const running: Serving[] = [];
  beforeEach(() => {
    cli = testCli();
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
    cli.remove();
  });
  const serverFile = (folder: string) => join(folder, ".qa-pay", "server.json");
  return {
    get cli() {
      return cli;
    },
    at: (...names) => join(cli.folder, ...names),
    project(name) {
      mkdirSync(join(cli.folder, name), { recursive: true });
      return join(cli.folder, name);
    },
    async serve(cwd, words = [], options = {}) {
      const server = await beginServe(cli, words, { ...options, cwd });
      running.push(server);
      return server;
    },
    stop(server) {
      running.splice(running.indexOf(server), 1);
      return server.stop();
    },
    serverFile,
    async create(cwd) {
      const { code, out, err } = await cli.run(["charges", "create", "--amount", "1990", "--json"], { cwd });
      if (code !== 0) throw new Error(err);
      return JSON.parse(out).id;
    },
    written: (folder) => JSON.parse(readFileSync(serverFile(folder), "utf8")),
  };
}
