import { type HttpServer, takePort } from "../../api/http/server.js";
import { openDatabase } from "../../base/db/open.js";
import { createRuntime } from "../../base/platform/real-runtime.js";
import { completeSettings } from "../../service/features/read-settings.js";
import { createCore } from "./core.js";
import type { Emulator, EmulatorOptions } from "./emulator-types.js";
import { prepareDatabase } from "./prepare-database.js";
import { createService } from "./service.js";

export type { Emulator, EmulatorOptions } from "./emulator-types.js";

/** Real time that open requests have to end when the server stops. */
const CLOSING_GRACE_MS = 2_000;

/** Starts an emulator. Rejects when the port is taken or the database cannot be used; nothing is left open then. */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { owner, log: ownLog, lookup, runtime: ownRuntime, tls, ...given } = options;
  const settings = completeSettings(given);
  const { randomSeed } = settings;
  const runtime = ownRuntime ?? createRuntime(ownLog, randomSeed);
  const database = openDatabase(settings.db, undefined, (text) => runtime.log.warn(text));
  let listening: HttpServer | null = null;
  try {
    const core = createCore(database, runtime, settings, tls !== undefined);
    const { address, real, ids, log, newUsers } = core;
    // Before anything is stored: keys and passwords are shown once, by the start that creates them.
    const server = await takePort({ host: address.host, port: settings.port, real, ids, log, tls });
    listening = server;
    address.listensOn(server);
    const account = await prepareDatabase(core);
    const service = createService(core, database, account, { owner, lookup });
    server.serve(service.app);
    service.start();
    void newUsers.stored();

    async function close(): Promise<void> {
      service.interrupt();
      await server.close(CLOSING_GRACE_MS);
      await service.stop();
      await newUsers.stored();
      // Units of work are committed in order: when this last one is, all earlier ones are.
      const written = core.uow.write(() => core.clock.persist());
      await written.catch((reason) => log.error("nothing could be written at the end", reason));
      database.close();
    }
    let closing: Promise<void> | null = null;
    const { testKey, liveKey, users, signingSecret, forward } = account;
    return {
      url: address.origin,
      database: database.file,
      consoleUrl: service.consoleUrl,
      randomSeed,
      testKey,
      liveKey,
      users,
      signingSecret,
      forward,
      now: core.clock.now,
      onSending: core.feeds.sending.subscribe,
      onAttempt: core.feeds.attempts.subscribe,
      onCollected: core.feeds.collected.subscribe,
      onEvent: core.feeds.eventWritten.subscribe,
      reportSurvival: service.tellSurvival,
      keepKey: service.keepKey,
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
