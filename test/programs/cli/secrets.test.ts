import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask } from "../../support/binary.js";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { beginServe, type Serving } from "../../support/running.js";
import { freshCli } from "../../support/shared.js";

/** After a session with many commands, no file and no output has a key, a password or a token in clear text. */

const cli = freshCli();
let server: Serving;
beforeEach(async () => {
  server = await beginServe(cli, ["--db", "qa-pay.db"]);
});
afterEach(async () => {
  await server.stop();
});

async function send(method: string, path: string, token: string | null, body?: unknown): Promise<Loose> {
  const response = await fetch(server.ready.url + path, {
    method,
    headers: { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === "" ? null : JSON.parse(text);
}

/** Outputs of the commands of a session, without those that show a key once. */
async function commands(secrets: Set<string>): Promise<string> {
  const [owner] = server.ready.users;
  const said: string[] = [];
  const command = async (words: string[], input?: string) => {
    const { out, err } = await cli.run(words, input === undefined ? {} : { input });
    said.push(out, err);
  };
  const once = async (...words: string[]) => {
    const { code, out } = await cli.run([...words, "--json"]);
    expect(code).toBe(0);
    secrets.add(JSON.parse(out).apiKey);
    return JSON.parse(out).id;
  };
  await command(["login", "--email", owner.email, "--password-stdin", "--verbose"], owner.password);
  const { logins } = JSON.parse(readFileSync(join(cli.folder, "config", "profiles.json"), "utf8"));
  secrets.add(logins[join(cli.folder, ".qa-pay", "server.json")].token);
  const issued = await once("keys", "issue", "--test", "--label", "ci");
  const rotated = await once("keys", "rotate", issued);
  for (const words of ["keys list", "keys list --json", "whoami", "whoami --json", "sandbox audit", "doctor"]) {
    await command(words.split(" "));
  }
  await command(["keys", "revoke", rotated, "--verbose"]);
  await command(["charges", "create", "--amount", "100", "--verbose"]);
  await command(["login", "--email", owner.email, "--password-stdin"], "not the password");
  await command(["logout", "--verbose"]);
  await command(["keys", "list"]);
  await command(["sandbox", "requests", "--limit", "100", "--json"]);
  return said.join("");
}

/** The same by HTTP, with mistakes that people make. */
async function requests(secrets: Set<string>): Promise<void> {
  const { users, test_key: key } = server.ready;
  for (const { email, password } of users) {
    const { token } = await send("POST", "/v1/auth/login", null, { email, password });
    secrets.add(token);
    const issued = await send("POST", "/v1/api-keys", token, { label: "http", test: true });
    if (issued.apiKey !== undefined) secrets.add(issued.apiKey);
    await send("POST", `/v1/api-keys/${issued.id}/rotate`, token).then(({ apiKey }) => apiKey && secrets.add(apiKey));
    await send("GET", `/v1/api-keys?token=${token}`, token);
    await send("POST", `/v1/auth/login?password=${password}`, null, { email });
    await send("POST", "/v1/auth/login", null, `{"email":"${email}","password":"${password}`);
    await send("POST", "/v1/auth/login", null, `{"email":"${email}","password":${password}}`);
    await send("POST", "/v1/auth/login", null, [password]);
    await send("POST", "/v1/auth/login", null, { email: [email], password });
    await send("POST", "/v1/auth/logout", token);
  }
  const { body: other } = await ask(server.ready, key, "POST", "/_sandbox/accounts", { name: "Outra Loja" });
  for (const secret of [other.test_key, other.live_key]) secrets.add(secret);
  for (const { email, password } of other.users) {
    secrets.add(password);
    secrets.add((await send("POST", "/v1/auth/login", null, { email, password })).token);
  }
  await ask(server.ready, other.live_key, "POST", "/v1/charges", { amount: 100, payment_method: "pix" });
  await ask(server.ready, key, "GET", `/v1/wallets?apikey=${other.test_key}`);
}

describe("a busy session", () => {
  it("leaves no key, password or token in the database, on a stream or in the request log", async () => {
    const { test_key, live_key, users } = server.ready;
    const secrets = new Set<string>([test_key, live_key, ...users.map(({ password }: Loose) => password)]);
    const said = await commands(secrets);
    await requests(secrets);
    const log = JSON.stringify((await ask(server.ready, test_key, "GET", "/_sandbox/requests?limit=100")).body);
    const events = JSON.stringify((await ask(server.ready, test_key, "GET", "/_sandbox/events?limit=100")).body);
    const files = () =>
      readdirSync(cli.folder)
        .filter((name) => name.startsWith("qa-pay.db"))
        .map((name) => [name, readFileSync(join(cli.folder, name), "latin1")] as const);
    const running = files();
    const { out, err } = await server.stop();
    const stopped = files();

    expect(running.map(([name]) => name)).toContain("qa-pay.db-wal");
    expect(running.map(([, content]) => content).join("")).toContain("owner@qa-pay.test");
    expect(log).toContain("/v1/auth/login");
    expect(secrets.size).toBeGreaterThan(20);
    const left = [
      ...running,
      ...stopped,
      ["standard output after the ready line", out.slice(out.indexOf("\n"))],
      ["standard error", err],
      ["what commands said", said],
      ["the request log", log],
      ["the events", events],
    ] as const;
    const found = left.flatMap(([name, text]) =>
      [...secrets].filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${name}`),
    );
    expect(found).toEqual([]);
  });

  it("shows passwords at the first start only", async () => {
    expect(server.ready.users).toEqual(
      ["OWNER", "ADMIN", "MEMBER"].map((role) => ({
        email: `${role.toLowerCase()}@qa-pay.test`,
        password: expect.stringMatching(/^(?:[a-z]{6}-){3}[a-z]{6}$/),
        role,
      })),
    );
    await server.stop();
    const config = readFileSync(join(cli.folder, ".qa-pay", "server.json"), "utf8");
    for (const { password } of server.ready.users) expect(config).not.toContain(password);
    server = await beginServe(cli, ["--db", "qa-pay.db"]);
    expect(server.ready.users.map(({ email, password }: Loose) => [email, password])).toEqual([
      ["owner@qa-pay.test", null],
      ["admin@qa-pay.test", null],
      ["member@qa-pay.test", null],
    ]);
  });
});

it("the users of a start for people have their passwords once, and then the note that these were shown", async () => {
  const { users } = server.ready;
  await server.stop();
  const onStop: CliOptions["onStop"] = (callback) => void callback("SIGTERM");
  const banner = async (db: string) => (await cli.run(["serve", "--port", "0", "--db", db], { onStop })).out;
  const again = await banner("qa-pay.db");
  expect(again).toMatch(/Owner +owner@qa-pay\.test {2}password was shown at the first start/);
  for (const { password } of users) expect(again).not.toContain(password);
  expect(await banner("another.db")).toMatch(/Member +member@qa-pay\.test {2}(?:[a-z]{6}-){3}[a-z]{6}$/m);
  server = await beginServe(cli, ["--db", "qa-pay.db"]);
});

it("a login still works after a restart on another port with the same database", async () => {
  const [owner] = server.ready.users;
  const login = ["login", "--email", owner.email, "--password-stdin"];
  expect((await cli.run(login, { input: `${owner.password}\n` })).code).toBe(0);
  await server.stop();
  server = await beginServe(cli, ["--db", "qa-pay.db"]);
  expect((await cli.run(["keys", "list"])).code).toBe(0);
  await server.stop();
  server = await beginServe(cli, ["--db", "another.db"]);
  expect((await cli.run(["keys", "list", "--base-url", server.ready.url])).code).toBe(3);
});
