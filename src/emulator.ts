import { openDatabase } from "./db/open.js";
import { type HttpServer, takePort } from "./http/server.js";
import { createBackground } from "./service/background.js";
import { createCore } from "./service/core.js";
import type { Emulator, EmulatorOptions } from "./service/emulator-types.js";
import { prepareDatabase } from "./service/prepare-database.js";
import { startWeb } from "./service/web.js";

export type { Emulator, EmulatorOptions } from "./service/emulator-types.js";

/** Real time that open requests have to end when the server stops. */
const CLOSING_GRACE_MS = 2_000;

/** Puts the service together and starts it. */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const database = openDatabase(options.db ?? ":memory:");
  let listening: HttpServer | null = null;
  try {
    const core = createCore(database, options);
    const background = createBackground(core, options);
    const { address, real, ids, log } = core;
    // Before anything is stored: keys and passwords are shown once, by the start that makes them.
    const server = await takePort({ host: address.host, port: options.port ?? 0, real, ids, log });
    listening = server;
    address.listensOn(server.port);
    const account = await prepareDatabase(core, options);
    const web = startWeb(database, core, background, server, account, options);
    background.start();
    void core.newUsers.stored();

    async function close(): Promise<void> {
      web.stop();
      // While the clock is being advanced, the request for it stays open for as long as receivers take.
      background.scheduler.interrupt();
      await server.close(CLOSING_GRACE_MS);
      await background.stop();
      await core.newUsers.stored();
      // Units of work are committed in order: when this empty one is, all earlier ones are.
      const written = core.uow.write(() => undefined);
      await written.catch((reason) => log.error("nothing could be written at the end", reason));
      database.close();
    }
    let closing: Promise<void> | null = null;
    const { testKey, liveKey, users, signingSecret, forward } = account;
    return {
      url: address.origin,
      database: database.file,
      consoleUrl: web.consoleUrl,
      testKey,
      liveKey,
      users,
      signingSecret,
      forward,
      onSending: core.feeds.sending.subscribe,
      onAttempt: core.feeds.attempts.subscribe,
      onEvent: core.feeds.eventWritten.subscribe,
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await listening?.close(0);
    database.close();
    throw error;
  }
}
