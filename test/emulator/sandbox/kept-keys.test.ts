import { expect, test } from "vitest";
import { bearer, tokenOf } from "../../support/access.js";
import { openConsole } from "../../support/console.js";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { ownEmulator, shared } from "../../support/shared.js";

const folder = shared(newFolder);

/** The key that the console shows: one that this process knows, which still works. The database has hashes alone. */

test("the console gets the key of its book that this start made, and a caller with a key gets none", async () => {
  const emulator = await ownEmulator();
  const page = await openConsole(emulator);
  const shown = async (book: string) => (await page.call("GET", "/_sandbox/account", { book })).body.api_key;
  expect([await shown(":test"), await shown(":live")]).toEqual([emulator.key, emulator.live]);
  const { id, test_key } = (await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra" } })).body;
  expect(await shown(`${id}:test`)).toBe(test_key);
  expect((await emulator.call("GET", "/_sandbox/account")).body).not.toHaveProperty("api_key");
});

test("a revoked key is not shown any more", async () => {
  const emulator = await ownEmulator();
  const page = await openConsole(emulator);
  const token = await tokenOf(emulator);
  const keys = (await emulator.call("GET", "/v1/api-keys", bearer(token))).body.data;
  const { id } = keys.find(({ mode }: Loose) => mode === "test");
  await emulator.call("DELETE", `/v1/api-keys/${id}`, bearer(token));
  expect((await page.call("GET", "/_sandbox/account")).body.api_key).toBeNull();
});

test("a later start knows hashes alone, until it is passed the key", async () => {
  const { db } = folder;
  const first = await ownEmulator({ db });
  await first.close();
  const later = await ownEmulator({ db });
  const page = await openConsole(later);
  const shown = async () => (await page.call("GET", "/_sandbox/account")).body.api_key;
  expect(await shown()).toBeNull();
  later.keepKey(first.key);
  expect(await shown()).toBe(first.key);
});
