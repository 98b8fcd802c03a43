import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OperationAnswer } from "../../../../api/client/types.js";
import { formatCount } from "../../../../base/kernel/format-count.js";
import { chargeIdOf } from "../../../../base/kernel/ids.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { withoutSecrets } from "../../../../base/kernel/secrets.js";
import { type HideSecrets, writeMaskedDatabase } from "../../../../checks/incident/masked-database.js";
import type { Emulator } from "../../../start/emulator.js";
import type { Connection } from "../../host/connection.js";
import { readFrom } from "../../host/read.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { toFile } from "../sandbox/snapshots/export.js";
import { fileRequest } from "../sandbox/snapshots/file-route.js";
import { drawTimeline } from "../sandbox/timeline.js";
import { type ArtifactFolder, DATABASE, type ListFile, timelineFile } from "./artifact-folder.js";
import { connectionTo, rowsOf, sendTo } from "./own-service.js";

/** `exec --artifacts`: what the service knew, in files, because it is gone when somebody reads of a failure. */

type Row<Page extends { readonly data: readonly unknown[] }> = Page["data"][number];
type LoggedRequest = Row<OperationAnswer<"sandbox.requests">>;
type LoggedEvent = Row<OperationAnswer<"sandbox.events">>;
type ListedDelivery = Row<OperationAnswer<"sandbox.deliveries.list">>;
type Delivery = OperationAnswer<"sandbox.deliveries.get">;
type Payment = Row<OperationAnswer<"sandbox.payments.list">>;
type Mode = "test" | "live";

interface Bounds {
  /** The most megabytes (MiB) of a list, of both books together. */
  readonly listMegabytes: number;
  /** The most timelines of each book. */
  readonly timelines: number;
}

/** As docs/LIMITS.md says. */
const BOUNDS: Bounds = { listMegabytes: 32, timelines: 1_000 };

interface Writing {
  /** Aborted when there is no time for the database any more. */
  readonly stop: AbortSignal;
  readonly bounds?: Bounds;
}

/** The form of the secret of an endpoint. */
const SECRET_FORM = /\b[0-9a-f]{64}\b/gi;

/** What a person has to know of the files. */
export interface Written {
  /** The requests that the service refused. The newest one comes first. */
  readonly refused: readonly LoggedRequest[];
  /** The newest charge of the test book with a timeline; null when there is none. */
  readonly newest: string | null;
  readonly requests: number;
  /** What is not in the files. */
  readonly lacks: readonly Lack[];
}

interface Lack {
  /** A sentence. */
  readonly text: string;
  /** True for a file that could not be written; false for one that has the newest alone. */
  readonly isFault: boolean;
}

interface Book {
  readonly mode: Mode;
  readonly connection: Connection;
}

/** Writes the artifacts of one service. What cannot be written is reported, and everything else is written all the same. */
class ArtifactWriter {
  readonly #io: Io;
  readonly #folder: ArtifactFolder;
  readonly #bounds: Bounds;
  readonly #stop: AbortSignal;
  readonly #books: readonly Book[];
  readonly #lacks: Lack[] = [];
  readonly #refused: LoggedRequest[] = [];
  readonly #known: readonly string[];
  #hideSecrets: HideSecrets;
  #newest: string | null = null;
  #requests = 0;

  constructor(io: Io, emulator: Emulator, folder: ArtifactFolder, { stop, bounds = BOUNDS }: Writing) {
    this.#io = io;
    this.#stop = stop;
    this.#bounds = bounds;
    this.#folder = folder;
    const { testKey, liveKey, signingSecret, users } = emulator;
    const keys: readonly (readonly [Mode, string | null])[] = [
      ["test", testKey],
      ["live", liveKey],
    ];
    this.#books = keys.flatMap(([mode, key]) =>
      key === null ? [] : [{ mode, connection: connectionTo(emulator, key) }],
    );
    const passwords = users.map(({ password }) => password);
    this.#known = [testKey, liveKey, signingSecret, ...passwords].filter((one) => one !== null);
    // Without the database nobody knows the secrets of all endpoints.
    this.#hideSecrets = (text, mark) =>
      this.#known.reduce((rest, secret) => rest.replaceAll(secret, mark), text).replace(SECRET_FORM, mark);
  }

  async write(): Promise<Written> {
    // First, because it names the secrets that texts may have.
    await this.#tryTo(`${DATABASE} is missing`, () => this.#writeDatabase());
    const list = (file: ListFile, rows: (book: Book) => AsyncIterable<object>, mask = withoutSecrets<object>) =>
      this.#tryTo(`${file} is missing`, () => this.#writeList(file, rows, mask));
    await list("requests.jsonl", ({ connection }) => this.#requestsOf(connection), withoutLinkKey);
    await list("events.jsonl", ({ connection }) => rowsOf<LoggedEvent>(connection, "/_sandbox/events"));
    // A request for each delivery and each charge takes longer, and a job that was cancelled may be killed any moment.
    await list("deliveries.jsonl", ({ connection }) => deliveriesOf(connection));
    for (const book of this.#books) {
      await this.#tryTo(`Timelines of the ${book.mode} book are missing`, () => this.#writeTimelines(book));
    }
    return { refused: this.#refused, newest: this.#newest, requests: this.#requests, lacks: this.#lacks };
  }

  async #tryTo(problem: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error) => this.#lacks.push({ text: `${problem}: ${reasonOf(error)}.`, isFault: true }));
  }

  #cut(text: string): void {
    this.#lacks.push({ text, isFault: false });
  }

  #hide(text: string): string {
    return this.#hideSecrets(text, "…");
  }

  async #writeDatabase(): Promise<void> {
    const [first] = this.#books;
    if (first === undefined) return;
    const name = "artifacts";
    const { connection } = first;
    const signal = this.#stop;
    // A snapshot waits for a clock that is being advanced.
    if (signal.aborted) throw new Error("a signal has cut the work short");
    await sendTo(connection, "POST /_sandbox/snapshots", JSON.stringify({ name }), signal);
    const scratch = mkdtempSync(join(tmpdir(), "qa-pay-artifacts-"));
    try {
      const request = { ...fileRequest(connection, name, "GET", {}), signal };
      const call = { io: this.#io, connection, request, flags: {} };
      const { path: source } = await toFile(call, join(scratch, "with-secrets.db"));
      const target = join(scratch, DATABASE);
      this.#hideSecrets = writeMaskedDatabase({ source, target, real: this.#io.real }, this.#known);
      this.#folder.move(target, DATABASE);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** Writes the rows of both books, those of each oldest first. */
  async #writeList(
    file: ListFile,
    rows: (book: Book) => AsyncIterable<object>,
    mask: (row: object) => object,
  ): Promise<void> {
    const parts: string[] = [];
    const { listMegabytes } = this.#bounds;
    let room = listMegabytes * 1_048_576;
    for (const book of this.#books) {
      const lines: string[] = [];
      for await (const row of rows(book)) {
        const line = `${this.#hide(JSON.stringify({ mode: book.mode, ...mask(row) }))}\n`;
        room -= Buffer.byteLength(line);
        if (room < 0) break;
        lines.push(line);
      }
      parts.push(lines.reverse().join(""));
    }
    if (room < 0) this.#cut(`${file} has the newest ${listMegabytes} MB.`);
    this.#folder.write(file, parts.join(""));
  }

  async *#requestsOf(connection: Connection): AsyncGenerator<LoggedRequest> {
    for await (const row of rowsOf<LoggedRequest>(connection, "/_sandbox/requests")) {
      this.#requests += 1;
      if (row.status >= 400) this.#refused.push(row);
      yield row;
    }
  }

  async #writeTimelines({ mode, connection }: Book): Promise<void> {
    const drawing = { paint: await palette(this.#io, false), utc: true, width: Number.POSITIVE_INFINITY };
    const { timelines } = this.#bounds;
    let count = 0;
    for await (const { id } of rowsOf<Payment>(connection, "/_sandbox/payments")) {
      if (count === timelines) {
        return this.#cut(`Of the ${mode} book, the newest ${formatCount(timelines, "charge")} have a timeline.`);
      }
      const charge = chargeIdOf(id);
      const timeline = await readFrom<OperationAnswer<"sandbox.timeline">>(connection, `/_sandbox/timeline/${charge}`);
      const text = String(drawTimeline(timeline, drawing));
      this.#folder.write(timelineFile(charge), this.#hide(withoutSecrets(text)));
      if (mode === "test") this.#newest ??= charge;
      count += 1;
    }
  }
}

/** The request log hides all secrets but the key in the link to the checkout page of a charge. */
function withoutLinkKey(request: object): object {
  const body: unknown = "response_body" in request ? request.response_body : null;
  if (!isJsonObject(body) || typeof body.checkout_url !== "string") return request;
  return { ...request, response_body: { ...body, checkout_url: withoutSecrets(body.checkout_url) } };
}

/** Each delivery with its attempts. */
async function* deliveriesOf(connection: Connection): AsyncGenerator<Delivery> {
  const path = "/_sandbox/webhooks/deliveries";
  for await (const { id } of rowsOf<ListedDelivery>(connection, path)) {
    yield await readFrom<Delivery>(connection, `${path}/${id}`);
  }
}

/** Writes what the service knows now into the folder. Never throws. */
export function writeArtifacts(io: Io, emulator: Emulator, folder: ArtifactFolder, writing: Writing): Promise<Written> {
  return new ArtifactWriter(io, emulator, folder, writing).write();
}
