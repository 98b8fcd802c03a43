import { expect, it } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { webhookStore } from "../../../../src/service/features/webhooks/store.js";

it.each([
  ["of its account", (store: ReturnType<typeof webhookStore>) => store.deleteEndpointsOf("acc_1")],
  ["of all but the forward target", (store: ReturnType<typeof webhookStore>) => store.deleteAllButForward()],
])("an endpoint that is deleted with those %s hears of nothing any more", (_of, deleted) => {
  const { db, close } = openDatabase(":memory:");
  db.exec(
    "INSERT INTO accounts VALUES ('acc_1', 'A', 'A', 'A', 'A', 0); INSERT INTO books VALUES (1, 'acc_1', 'test')",
  );
  const store = webhookStore(db);
  store.insertEndpoint({
    ...{ id: "0".repeat(32), book_id: 1, url: "https://shop.test/", events: ",charge.paid,", secret: "0".repeat(64) },
    ...{ status: "ACTIVE", origin: "api", private: 0, created_at: 0, updated_at: 0 },
  });
  expect(store.subscribers(1, "charge.paid")).toHaveLength(1);
  deleted(store);
  expect(store.subscribers(1, "charge.paid")).toEqual([]);
  close();
});
