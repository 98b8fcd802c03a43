import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { receiveFile } from "../../../src/api/http/file-handler.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";

/** Files that arrive as the body of a request. */

const folder = fresh(newFolder);

const incoming = (headers: Record<string, string> = {}) =>
  Object.assign(new PassThrough(), { headers }) as unknown as PassThrough & IncomingMessage;
const path = () => join(folder.path, "received");

it("a file is written byte for byte, also when it arrives faster than the disk takes it", async () => {
  const request = incoming();
  const content = Buffer.alloc(3_000_000, "0123456789");
  const received = receiveFile(request, path(), content.length);
  request.end(content);
  await received;
  expect(readFileSync(path()).equals(content)).toBe(true);
});

it("a file whose size is not announced is refused as soon as it is too large", async () => {
  const request = incoming();
  const received = receiveFile(request, path(), 1_048_576);
  request.write(Buffer.alloc(1_048_577));
  await expect(received).rejects.toMatchObject({
    code: "payload_too_large",
    message: "The file is larger than 1 MiB.",
  });
});

it("a file that breaks off is refused", async () => {
  const request = incoming({ "content-length": "10" });
  const received = receiveFile(request, path(), 10);
  request.write("half");
  request.emit("aborted");
  await expect(received).rejects.toMatchObject({ code: "invalid_request" });
});

it("a file that says that it is too large is not begun", async () => {
  await expect(receiveFile(incoming({ "content-length": "11" }), path(), 10)).rejects.toMatchObject({
    code: "payload_too_large",
  });
  expect(existsSync(path())).toBe(false);
});
