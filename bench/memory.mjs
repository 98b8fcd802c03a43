/**
 * Sends a server a flood of data that it must not keep in memory, and measures how much its resident memory grows. Each
 * flood runs against a new server.
 */
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { folder, residentMb, serve, stop } from "./processes.mjs";
import { inLanes, pause, senderTo } from "./requests.mjs";
import { waitUntilListening } from "./serving.mjs";

/** The limit for the growth of the process's memory by one flood. */
const LIMIT_MB = 150;
/** The time in which the process may give unused memory back to the system. */
const SETTLED_MS = 12_000;
const LOOK_EVERY_MS = 250;
const CONNECTIONS = 8;

/** Sends one request over the connections to a server. */
function sendRequest({ sender, test_key: apikey }, method, path, body, headers = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  return sender.send(path, { method, headers: { apikey, "content-type": "application/json", ...headers }, body: text });
}

/** Sends `count` requests, several at the same time. Throws when an answer does not have the expected status. */
async function sendMany(count, expected, once) {
  let next = 0;
  await inLanes(
    CONNECTIONS,
    () => next < count,
    async () => {
      const { status } = await once(next++);
      if (status !== expected) throw new Error(`answered ${status} instead of ${expected}`);
    },
  );
}

const charge = (server, key, extra = {}) =>
  sendRequest(
    server,
    "POST",
    "/v1/charges",
    { amount: 1990, payment_method: "pix", ...extra },
    { "idempotency-key": key },
  );
const note = (length) => ({ metadata: { note: "x".repeat(length) } });

/** Opens a stream of events or requests and does not read it. */
function slowReader({ url, test_key }, path) {
  const { hostname, port, host } = new URL(url);
  const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\napikey: ${test_key}\r\naccept: text/event-stream\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(head));
    socket.once("error", reject).once("readable", () => resolve(socket));
  });
}

async function slowReaders(server) {
  const paths = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? "/_sandbox/events" : "/_sandbox/requests"));
  const sockets = await Promise.all(paths.map((path) => slowReader(server, path)));
  await sendMany(10_000, 201, (n) => charge(server, `event-${n}-key`));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** Creates charges of 1 MB, and reads each of them. */
async function largeBodies(server) {
  const metadata = note(1_000_000);
  const ids = [];
  await sendMany(300, 201, async (n) => {
    const made = await charge(server, `large-${n}-key`, metadata);
    ids.push(JSON.parse(made.text).id);
    return made;
  });
  await sendMany(ids.length, 200, (n) => sendRequest(server, "GET", `/v1/charges/${ids[n]}`));
}

/** Sends webhooks to receivers whose answer never ends, or is 100 MB long. */
async function receivers(server) {
  const chunk = Buffer.alloc(65_536, "x");
  const respond = (requested, answer) => {
    requested.resume();
    let left = requested.url === "/endless" ? Number.POSITIVE_INFINITY : 1_600;
    const more = () => {
      while (left-- > 0) if (!answer.write(chunk)) return;
      answer.end();
    };
    answer
      .writeHead(500)
      .on("drain", more)
      .on("error", () => undefined);
    more();
  };
  const receiver = await waitUntilListening(createServer(respond));
  for (const path of ["/endless", "/large"]) {
    await sendRequest(server, "POST", "/v1/webhooks/endpoints", {
      url: receiver.url + path,
      events: ["charge.created"],
    });
  }
  await sendMany(100, 201, (n) => charge(server, `hook-${n}-key`));
  await pause(5_000);
  await receiver.end();
}

/** Sends request ids and idempotency keys of the greatest length, and long paths. */
async function names(server) {
  const long = (n, length) => String(n).padStart(length, "x");
  await sendMany(5_000, 201, (n) => {
    const headers = { "idempotency-key": long(n, 128), "x-request-id": long(n, 6_000) };
    return sendRequest(
      server,
      "POST",
      `/v1/charges?${long(n, 6_000)}`,
      { amount: 1990, payment_method: "pix" },
      headers,
    );
  });
  await sendMany(5_000, 404, (n) =>
    sendRequest(server, "GET", `/v1/charges/${long(n, 6_000)}`, undefined, { "x-request-id": long(n, 6_000) }),
  );
}

const FLOODS = [
  ["40 readers that stop reading, 20,000 events", slowReaders],
  ["300 charges of 1 MB, read back", largeBodies],
  ["100 webhooks answered without end, 100 in 100 MB", receivers],
  ["10,000 request names and paths of 6 KB", names],
];

/**
 * Waits until the process uses at most `enough` MB, or until the time is over. Sends requests meanwhile, because an
 * idle JavaScript engine may not collect its garbage. The server keeps nothing of these requests.
 */
async function waitUntilSettled(server, enough) {
  const { pid } = server.child;
  const until = performance.now() + SETTLED_MS;
  const refused = { amount: 0, ...note(1_000_000) };
  for (;;) {
    const now = residentMb(pid);
    if (!(now > enough) || performance.now() > until) return now;
    await sendMany(20, 400, () => sendRequest(server, "POST", "/v1/charges", refused));
    await pause(LOOK_EVERY_MS);
  }
}

async function measure(flood, number) {
  const started = await serve("--db", join(folder, `memory-${number}.db`));
  const server = { ...started, sender: senderTo(started.url, CONNECTIONS) };
  const { pid } = server.child;
  // Every server grows in its first minute. This growth must not count for the flood.
  await sendMany(2_000, 201, (n) => charge(server, `warm-up-${n}`));
  const before = residentMb(pid);
  let peak = before;
  const looking = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, LOOK_EVERY_MS);
  try {
    const end = await flood(server);
    const after = await waitUntilSettled(server, before + LIMIT_MB);
    end?.();
    return { before, peak, after };
  } finally {
    clearInterval(looking);
    server.sender.close();
    await stop(server);
  }
}

/** Runs all floods. Throws when one does not finish, for example because of a crash. */
export async function* memory() {
  for (const [number, [name, flood]] of FLOODS.entries()) {
    const { before, peak, after } = await measure(flood, number).catch((cause) => {
      throw new Error(`the flood "${name}" did not finish`, { cause });
    });
    const [grown, most] = [after - before, peak - before].map(Math.round);
    const ours = `${grown} MB more, ${most} MB at the peak`;
    yield { name: `memory after ${name}`, ours, target: `≤ ${LIMIT_MB} MB`, isReached: after - before <= LIMIT_MB };
  }
}
