/** Code that checks a signature, in five languages, for each of the two forms (docs/service/webhooks.md#signatures). */

export type SignatureForm = "canonical" | "legacy";

const node = {
  canonical: `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the bytes as they came, before parsing
export function isGenuine(body, header, secret) {
  const { t, v1 = "" } = Object.fromEntries(header.split(",").map((part) => part.split("=")));
  const expected = createHmac("sha256", secret).update(\`\${t}.\`).update(body).digest();
  const given = Buffer.from(v1, "hex");
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  return isSigned && Math.abs(Date.now() / 1000 - Number(t)) <= 300;
}
`,
  legacy: `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the bytes as they came, before parsing
export function isGenuine(body, header, secret) {
  const expected = createHmac("sha256", secret).update(body).digest();
  const given = Buffer.from(header.replace("sha256=", ""), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`,
};

const python = {
  canonical: `import hashlib
import hmac
import time


# body: the bytes as they came, before parsing
def is_genuine(body: bytes, header: str, secret: str) -> bool:
    parts = dict(part.split("=", 1) for part in header.split(","))
    signed = parts["t"].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    is_signed = hmac.compare_digest(expected, parts["v1"])
    return is_signed and abs(time.time() - int(parts["t"])) <= 300
`,
  legacy: `import hashlib
import hmac


# body: the bytes as they came, before parsing
def is_genuine(body: bytes, header: str, secret: str) -> bool:
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, header.removeprefix("sha256="))
`,
};

const php = {
  canonical: `<?php
// $body: file_get_contents('php://input'), before json_decode
function is_genuine(string $body, string $header, string $secret): bool
{
    parse_str(strtr($header, ',', '&'), $parts);
    $expected = hash_hmac('sha256', $parts['t'] . '.' . $body, $secret);
    return hash_equals($expected, $parts['v1']) && abs(time() - (int) $parts['t']) <= 300;
}
`,
  legacy: `<?php
// $body: file_get_contents('php://input'), before json_decode
function is_genuine(string $body, string $header, string $secret): bool
{
    return hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $header);
}
`,
};

function javaClass(rest: string): string {
  return `import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhook {
    // body: the bytes as they came, before parsing
${rest}}
`;
}

const javaKey = `        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
`;

const java = {
  canonical: javaClass(`    static boolean isGenuine(byte[] body, String header, String secret) throws Exception {
        String t = header.replaceAll("^t=(\\\\d+),.*$", "$1");
        byte[] given = HexFormat.of().parseHex(header.replaceAll("^.*v1=", ""));
${javaKey}        mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
        boolean isSigned = MessageDigest.isEqual(mac.doFinal(body), given);
        return isSigned && Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(t)) <= 300;
    }
`),
  legacy: javaClass(`    static boolean isGenuine(byte[] body, String header, String secret) throws Exception {
        byte[] given = HexFormat.of().parseHex(header.replace("sha256=", ""));
${javaKey}        return MessageDigest.isEqual(mac.doFinal(body), given);
    }
`),
};

const shell = {
  canonical: `# body.json: the body as it came, without a line end behind it
{ printf '%s.' "$T"; cat body.json; } | openssl dgst -sha256 -hmac "$QA_PAY_WEBHOOK_SECRET" -r | cut -d' ' -f1
`,
  legacy: `# body.json: the body as it came, without a line end behind it
openssl dgst -sha256 -hmac "$QA_PAY_WEBHOOK_SECRET" -r < body.json | cut -d' ' -f1
`,
};

/** Each with the name of its language. */
export function signatureSnippets(form: SignatureForm): { readonly name: string; readonly text: string }[] {
  return [
    { name: "Node", text: node[form] },
    { name: "PHP", text: php[form] },
    { name: "Python", text: python[form] },
    { name: "Java", text: java[form] },
    { name: "Shell", text: shell[form] },
  ];
}
