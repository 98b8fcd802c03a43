import { SIGNATURE_HEADER, TOLERANCE_SECONDS } from "../../../../base/kernel/webhook-signature.js";

/** A receiver of webhooks for Node that checks every signature, in as few lines as possible (README.md explains a longer one). */
export const RECEIVER_SCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const hmac = (text) => createHmac("sha256", process.env.QA_PAY_WEBHOOK_SECRET).update(text).digest("hex");
createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const header = request.headers["${SIGNATURE_HEADER}"] ?? "";
  const t = /^t=(\\d+)/.exec(header)?.[1]; // legacy events have no timestamp
  const right = Buffer.from(t ? \`t=\${t},v1=\${hmac(\`\${t}.\${body}\`)}\` : \`sha256=\${hmac(body)}\`);
  const given = Buffer.from(header);
  const isGenuine = given.length === right.length && timingSafeEqual(given, right);
  const isValid = isGenuine && (!t || Date.now() / 1000 - t < ${TOLERANCE_SECONDS});
  console.log(isValid ? "verified" : "REFUSED", request.headers["x-qa-event-type"]);
  response.writeHead(isValid ? 204 : 400).end();
}).listen(3000, "127.0.0.1");
`;
