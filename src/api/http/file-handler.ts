import { createReadStream, createWriteStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { FileBody } from "../../base/kernel/contract.js";
import { ApiError, fieldError, shorten } from "../../base/kernel/errors.js";
import type { ServedOperation } from "../../emulator/sandbox/control-interface.js";
import type { FileAnswer } from "../../service/features/operation.js";
import { checkStillIn } from "./auth.js";
import { encodingRefusal, readChunks } from "./body.js";
import { type Exchange, header, jsonAnswer, SENT, type Sent } from "./exchange.js";
import { type HandlerParts, inputOf, type OperationHandler } from "./handler.js";

/** Operations whose body or answer is a file. The file goes from the network to the disk, or back, piece by piece. */

function tooLarge(maxBytes: number): ApiError {
  const message = `The file is larger than ${maxBytes / 1_048_576} MiB.`;
  return new ApiError("payload_too_large", { message, headers: { connection: "close" } });
}

/**
 * Writes the body of a request to a new file that only its owner may read. Resolves when the file is on the disk. Throws
 * ApiError when it is too large, or ends early.
 */
export function receiveFile(request: IncomingMessage, path: string, maxBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) {
      request.resume();
      reject(tooLarge(maxBytes));
      return;
    }
    const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
    let size = 0;
    let isWhole = false;
    let failure: unknown = null;
    const fail = (reason: unknown) => {
      failure ??= reason;
      file.destroy();
      request.resume();
    };
    file.on("error", fail);
    file.on("drain", () => request.resume());
    file.on("close", () => (failure === null ? resolve() : reject(failure)));
    readChunks(request, {
      take(chunk) {
        size += chunk.length;
        if (failure !== null) return;
        if (size > maxBytes) fail(tooLarge(maxBytes));
        else if (!file.write(chunk)) request.pause();
      },
      end() {
        isWhole = true;
        file.end();
      },
      onBreak() {
        if (!isWhole) fail(new ApiError("invalid_request", { message: "The file ended early. Nothing was changed." }));
      },
    });
  });
}

function checkType(request: IncomingMessage, { type }: FileBody): void {
  const encoded = encodingRefusal(request);
  if (encoded !== null) throw encoded;
  const given = header(request, "content-type") ?? "";
  if (given === "" || given.toLowerCase() === type) return;
  throw fieldError("Content-Type", `must be ${type} for a file, not ${shorten(given)}`);
}

/** Sends a file as the answer. Cuts the connection when the file cannot be read to its end. */
export async function sendFile(
  { response, requestId }: Exchange,
  { name, content }: FileAnswer,
  type: string,
): Promise<Sent> {
  try {
    response.writeHead(200, {
      "content-type": type,
      "content-length": content.size,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
    });
    const { descriptor: fd } = content;
    await pipeline(createReadStream("", { fd, autoClose: false, start: 0 }), response);
  } catch {
    response.destroy();
  } finally {
    content.close();
  }
  return SENT;
}

/** The handler of an operation about a file; null for every other operation. */
export function createFileHandler(
  operation: ServedOperation,
  { reader, controls }: Pick<HandlerParts, "reader" | "controls">,
): OperationHandler | null {
  const { contract, execution } = operation;
  if (execution.kind !== "receive" && execution.kind !== "send") return null;
  const inputFor = inputOf(operation);
  if (execution.kind === "send") {
    const { file: type = "application/octet-stream" } = contract.success;
    return async (exchange, who, params): Promise<Sent> =>
      sendFile(exchange, await execution.handle(inputFor(exchange, who, params), controls), type);
  }
  const { upload } = contract;
  if (upload === undefined) throw new Error(`${contract.id} receives a file and does not say of which type`);
  return async (exchange, who, params) => {
    const { request } = exchange;
    checkType(request, upload);
    const save = async (path: string) => {
      await receiveFile(request, path, upload.maxBytes);
      // A key may have been revoked while the file was on its way.
      checkStillIn(reader(), who);
    };
    const answer = await execution.handle(inputFor(exchange, who, params), controls, save);
    return jsonAnswer(contract.success.status, JSON.stringify(answer));
  };
}
