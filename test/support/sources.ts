import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CliOptions, type CliOutcome, type TestCli, testCli } from "./cli.js";
import { type Host, startHost } from "./running.js";

/** Hosts that record requests, and every source from which a command can take its host and key. */

export interface Capture extends Host {
  /** The requests since the last call, as `METHOD /path` followed by the credentials in them. */
  taken(): string[];
}

const LOGIN = {
  token: "e30.e30.e30",
  user: { id: "user_1", email: "a@b.test", name: "A", role: "OWNER" },
  account: { id: "acc_1", name: "A" },
};

/** The option of an emulator that is the server in the files of `writeServerFile`. */
export const OWNER = { instance: "the-instance-of-a-start", secret: "the-secret-of-a-start", stop: () => undefined };

/**
 * Answers every request with a body that every command of these tests accepts as a success, and has the instance id of the
 * files of `writeServerFile`. A request for this id is recorded only when a credential is sent with it.
 */
export async function startCapture(): Promise<Capture> {
  const seen: string[] = [];
  const host = await startHost((request, response) => {
    const { apikey, authorization } = request.headers;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const hasPassword = Buffer.concat(chunks).includes(PASSWORD);
      const credentials = [apikey, authorization, hasPassword ? PASSWORD : undefined].filter(
        (one) => one !== undefined,
      );
      const isAboutServer = request.url === "/_sandbox/server";
      if (!isAboutServer || credentials.length > 0)
        seen.push([`${request.method} ${request.url}`, ...credentials].join(" "));
      const object = { emulator: "qa-pay", mode: "test", id: "ch_1", data: [], instance: OWNER.instance, ...LOGIN };
      response.end(JSON.stringify(request.url === "/v1/wallets" ? [] : object));
    });
  });
  return { ...host, taken: () => seen.splice(0) };
}

export const PASSWORD = "the-password";

/** The settings of a project, a user and a shell. */
export interface Setting {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly dotEnv?: Readonly<Record<string, string>>;
  /** The profiles by name. The current one is called `current`. */
  readonly profiles?: Readonly<Record<string, { readonly base_url: string; readonly api_key: string | null }>>;
  /** The content of the project's file. */
  readonly project?: object;
}

export interface SetCli extends TestCli {
  /** Runs a command with the flags and the environment of the setting. */
  runSet(words: readonly string[], options?: CliOptions): Promise<CliOutcome>;
}

export const SIGNING_SECRET = "5".repeat(64);

/** Writes the file of a project that `serve` would write. */
export function writeServerFile(folder: string, content: object, mode = 0o600): string {
  const file = join(folder, ".qa-pay", "server.json");
  mkdirSync(dirname(file), { recursive: true });
  const started_at = "2026-01-01T00:00:00.000Z";
  const rest = {
    live_key: null,
    signing_secret: SIGNING_SECRET,
    pid: 4_242,
    started_at,
    instance: OWNER.instance,
    server_secret: OWNER.secret,
  };
  writeFileSync(file, JSON.stringify({ ...rest, ...content }));
  chmodSync(file, mode);
  return file;
}

/** A command line with all these settings. */
export function cliWith({ flags = [], env = {}, dotEnv, profiles = {}, project }: Setting): SetCli {
  const cli = testCli(env);
  mkdirSync(join(cli.folder, "config"));
  const file = { current: "current", profiles };
  writeFileSync(join(cli.folder, "config", "profiles.json"), JSON.stringify(file), { mode: 0o600 });
  const lines = Object.entries(dotEnv ?? {}).map(([name, value]) => `${name}=${value}\n`);
  if (dotEnv !== undefined) writeFileSync(join(cli.folder, ".env"), lines.join(""));
  if (project !== undefined) writeServerFile(cli.folder, project);
  return { ...cli, runSet: (words, options) => cli.run([...words, ...flags], options) };
}
