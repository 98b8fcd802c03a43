import { Transform, type TransformCallback } from "node:stream";
import { mayBeInexact, parseCarried } from "../../base/kernel/exact-numbers.js";
import { isJsonObject } from "../../base/kernel/json.js";

/**
 * A message with the arguments of its call read exactly. The library reads a message by JSON.parse, which rounds numbers in silence;
 * the service gets them as the agent wrote them, and refuses what it cannot keep. What is no message stays as it is: the library
 * says what is wrong with it.
 */
function withExactArguments(line: string): string {
  try {
    const [message, carried]: unknown[] = [JSON.parse(line), parseCarried(line)];
    if (!isJsonObject(message) || !isJsonObject(carried)) return line;
    const { params } = message;
    if (!isJsonObject(params) || !isJsonObject(carried.params) || params.arguments === undefined) return line;
    return JSON.stringify({ ...message, params: { ...params, arguments: carried.params.arguments ?? null } });
  } catch {
    return line;
  }
}

const LINE_BREAK = 10;

/** Passes lines on, each as soon as it is whole. `onEnd` is awaited before the end is passed on. */
export class ExactLines extends Transform {
  #begun: Buffer[] = [];

  constructor(private readonly onEnd: () => Promise<void>) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end === 0) this.#begun.push(chunk);
    else {
      const lines = Buffer.concat([...this.#begun, chunk.subarray(0, end)]);
      this.#begun = end === chunk.length ? [] : [chunk.subarray(end)];
      this.#pass(lines);
    }
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#begun.length > 0) this.#pass(Buffer.concat(this.#begun));
    this.#begun = [];
    setImmediate(() => void this.onEnd().then(() => done()));
  }

  #pass(lines: Buffer): void {
    const text = lines.toString();
    this.push(mayBeInexact(text) ? text.split("\n").map(withExactArguments).join("\n") : lines);
  }
}
