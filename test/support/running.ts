import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { withCheapPasswords } from "./cheap-passwords.js";
import type { CliOptions, CliOutcome, TestCli } from "./cli.js";
import type { Loose } from "./emulator.js";

/** Commands that run until they are stopped, and hosts that are not emulators. */

export interface Running {
  /** Stops the command as Ctrl-C does. Resolves when it has ended. */
  stop(): Promise<CliOutcome>;
  readonly ended: Promise<CliOutcome>;
}

/**
 * Resolves when the command runs and can be stopped. Throws the output when it ends before that.
 */
export async function begin(cli: TestCli, words: readonly string[], options: CliOptions = {}): Promise<Running> {
  let stop: () => void = () => undefined;
  let ended: Promise<CliOutcome> | undefined;
  const begun = new Promise<void>((resolve) => {
    const onStop: CliOptions["onStop"] = (callback) => {
      stop = () => callback("SIGTERM");
      resolve();
    };
    ended = cli.run(words, { ...options, onStop });
  });
  const end = ended ?? cli.run(words, options);
  withCheapPasswords(end);
  const tooEarly = end.then(({ code, err }) => {
    throw new Error(`${words[0]} ended with ${code}: ${err}`);
  });
  await Promise.race([begun, tooEarly]);
  return {
    ended: end,
    stop: () => {
      stop();
      return end;
    },
  };
}

export interface Serving extends Running {
  /** The ready line, as parsed. */
  readonly ready: Loose;
}

/** `serve --json` on a free port, ready to answer. Throws the output when it ends before that. */
export async function beginServe(
  cli: TestCli,
  words: readonly string[] = [],
  options: CliOptions = {},
): Promise<Serving> {
  const screen: string[] = [];
  const ready = new Promise<Loose>((resolve) => {
    screen.push = (text) => {
      if (text.startsWith('{"event":"ready"')) resolve(JSON.parse(text));
      return 0;
    };
  });
  const running = await begin(
    cli,
    ["serve", "--json", ...(words.includes("--port") ? [] : ["--port", "0"]), ...words],
    { ...options, screen },
  );
  const tooEarly = running.ended.then(({ code, err }) => {
    throw new Error(`serve ended with ${code}: ${err}`);
  });
  return { ...running, ready: await Promise.race([ready, tooEarly]) };
}

export interface Host {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on loopback with the test's own handler. */
export async function startHost(answers: RequestListener, { host = "127.0.0.1", port = 0 } = {}): Promise<Host> {
  const server = createServer(answers);
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(port, host, resolve));
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
