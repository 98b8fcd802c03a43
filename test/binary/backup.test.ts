import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { ask, newPlace, serve } from "../support/binary.js";
import { testWith } from "../support/programs.js";

/** A copy of the database that another program makes while the server writes (docs/guides/shared-server.md). */

function copied(db: string, copy: string): Promise<number | null> {
  const child = spawn("sqlite3", [db, `.backup '${copy}'`], { stdio: "ignore" });
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
}

testWith(
  "sqlite3",
  "a copy that sqlite3 makes under load has every charge that was answered before, and its ledger adds up",
  async () => {
    const place = newPlace();
    const key = "qa_test_copy-under-load";
    const server = await serve(place, ["--test-key", key]);
    const answered: string[] = [];
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const { status, body } = await ask(server, key, "POST", "/v1/charges", { amount: 1, payment_method: "pix" });
        expect(status).toBe(201);
        answered.push(body.id);
        await ask(server, key, "POST", `/_sandbox/charges/${body.id}/pay`, {});
      }
    };
    try {
      const clients = Array.from({ length: 4 }, client);
      while (answered.length < 60) await new Promise((resolve) => setImmediate(resolve));
      const before = answered.length;
      const copy = join(place.folder, "copy.db");
      expect(await copied(place.db, copy)).toBe(0);
      isOver = true;
      await Promise.all(clients);
      const restored = await serve({ ...place, db: copy }, ["--test-key", key]);
      for (const id of answered.slice(0, before)) {
        expect((await ask(restored, key, "GET", `/v1/charges/${id}`)).status, id).toBe(200);
      }
      expect((await ask(restored, key, "GET", "/_sandbox/ledger/check")).body).toMatchObject({ ok: true });
      expect((await restored.stop()).code).toBe(0);
    } finally {
      isOver = true;
      await server.stop();
      place.remove();
    }
  },
);
