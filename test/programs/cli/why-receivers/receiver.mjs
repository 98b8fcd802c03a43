// A receiver with the mistake that the path names, /mistake/secret. It answers 204 or 401.
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";

const hex = (key, text, algorithm = "sha256") => createHmac(algorithm, key).update(text).digest("hex");

const EXPECTED = {
  right: ({ key, t, body }) => hex(key, `${t}.${body}`),
  hex: ({ key, t, body }) => hex(Buffer.from(key, "hex"), `${t}.${body}`),
  base64: ({ key, t, body }) => hex(Buffer.from(key, "base64"), `${t}.${body}`),
  newline: ({ key, t, body }) => hex(`${key}\n`, `${t}.${body}`),
  mark: ({ key, t, body }) => hex(`\ufeff${key}`, `${t}.${body}`),
  unset: ({ t, body }) => hex("undefined", `${t}.${body}`),
  quoted: ({ key, t, body }) => hex(`"${key}"`, `${t}.${body}`),
  printed: ({ key, t, body }) => hex(key, `${t}.${JSON.stringify(JSON.parse(body), null, 2)}`),
  object: ({ key, t, body }) => hex(key, `${t}.${JSON.parse(body)}`),
  empty: ({ key, t }) => hex(key, `${t}.`),
  "no-timestamp": ({ key, body }) => hex(key, body),
  order: ({ key, t, body }) => hex(key, `${body}.${t}`),
  "no-dot": ({ key, t, body }) => hex(key, t + body),
  sha512: ({ key, t, body }) => hex(key, `${t}.${body}`, "sha512"),
  "no-hmac": ({ key, t, body }) => createHash("sha256").update(`${key}${t}.${body}`).digest("hex"),
  "digest-base64": ({ key, t, body }) => createHmac("sha256", key).update(`${t}.${body}`).digest("base64"),
  "whole-header": ({ key, body, header }) => (header === hex(key, body) ? "" : "no"),
  "old-form": ({ key, body, header }) => (header === `sha256=${hex(key, body)}` ? "" : "no"),
};

/** How many requests each path had. */
const counts = new Map();

createServer(async (request, response) => {
  const body = (await request.toArray()).join("");
  const [, mistake, key] = (request.url ?? "").split("/");
  const header = String(request.headers["x-qa-signature"]);
  const [, t = "", v1 = ""] = /^t=(\d+),v1=(\S+)$/.exec(header) ?? [];
  const count = (counts.get(request.url) ?? 0) + 1;
  counts.set(request.url, count);
  const answer = (status, text = "") => response.writeHead(status, { location: "/elsewhere" }).end(text);
  if (/^\d{3}$/.test(mistake)) return answer(Number(mistake));
  if (mistake === "csrf") return answer(403, "CSRF token missing");
  if (mistake === "reset") return request.socket.destroy();
  if (mistake === "moody") return answer(count % 2 === 1 ? 401 : 204);
  if (mistake === "anything") return answer(count === 1 ? 401 : 204);
  const isRight = v1 === EXPECTED.right({ key, t, body });
  if (mistake === "no-order") return answer(isRight ? 422 : 401, "no such order");
  if (mistake === "careful") return answer(isRight && Math.abs(Date.now() / 1_000 - t) < 300 ? 204 : 401);
  if (mistake === "milliseconds") return answer(isRight && Math.abs(Date.now() - t) < 300_000 ? 204 : 401);
  if (mistake === "mended") return answer(isRight && count > 1 ? 204 : 400);
  // The empty signature stands for a comparison of the header as a whole.
  const expected = EXPECTED[mistake]({ key, t, body, header });
  return answer(expected === v1 || expected === "" ? 204 : 401);
}).listen(process.env.PORT, "127.0.0.1");
