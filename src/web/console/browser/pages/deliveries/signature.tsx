import { useSignal } from "@preact/signals";
import { checkSignature } from "../../../../../base/kernel/check-signature.js";
import {
  type Family,
  parseSignature,
  prepareSignature,
  type Signature,
} from "../../../../../base/kernel/webhook-signature.js";
import { call } from "../../api/call.js";
import { canSign, hmacHex } from "../../api/digest.js";
import { Code } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { RunButton } from "../../parts/run-button.js";
import { Snippets } from "../../parts/snippets.js";
import { language, terms, texts } from "../../state/language.js";
import { receiverCurl } from "../../words/receiver-curl.js";
import { signatureSnippets } from "../../words/signature-snippets.js";
import { shortTime } from "../../words/time.js";
import { type Attempt, type Delivery, headerOf } from "./facts.js";

const signatureWords = texts("signature");

/** The signed text with its parts marked, the key and the digest. */
export function Parts({ signature, body }: { signature: Signature; body: string }) {
  const text = signatureWords.value;
  const t = signature.family === "legacy" ? null : signature.t;
  return (
    <dl class="stack">
      <dt>{text.signed}</dt>
      <dd class="stack">
        <code class="sunken signed">
          {t === null ? null : (
            <>
              <span class="part-t warn" title={text.t}>
                {t}
              </span>
              <span class="part-dot">.</span>
            </>
          )}
          <span class="part-body">{body}</span>
        </code>
        {t === null ? null : (
          <p class="hint">
            <span class="part-t warn">{t}</span> {text.t} ({shortTime(Number(t) * 1_000, language.value)})
          </p>
        )}
      </dd>
      <dt>{terms.value.key}</dt>
      <dd class="stack">
        <code>{"•".repeat(16)}</code> {text.key_text}
      </dd>
      <dt>{text.digest}</dt>
      <dd class="stack">
        <code>{signature.digests.join(", ")}</code>
      </dd>
    </dl>
  );
}

const secretOf = async (endpointId: string) =>
  (await call("sandbox.endpoints.reveal", { params: { id: endpointId } })).secret;

function CheckWithSecret({ attempt, endpointId }: { attempt: Attempt; endpointId: string | null }) {
  if (!canSign) return <p class="hint">{signatureWords.value.no_crypto}</p>;
  if (endpointId === null) return <p class="hint">{signatureWords.value.no_secret}</p>;
  const check = async () => {
    const secret = await secretOf(endpointId);
    const tolerance = { ms: Infinity, written: "" };
    const given = { header: headerOf(attempt), secret, body: attempt.request.body, now: 0, tolerance };
    const { code } = await checkSignature(given, hmacHex);
    return code === "valid" ? signatureWords.value.checked_valid : signatureWords.value.checked_not;
  };
  return <RunButton label={signatureWords.value.check} run={check} kind="small" />;
}

interface PartProps {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
}

/** The delivery as curl: with a new signature on request, else with its original one. */
function Curl({ delivery: { endpointId }, attempt, family }: PartProps & { family: Family }) {
  const line = useSignal<string | null>(null);
  const text = signatureWords.value;
  const sign = async () => {
    const secret = await secretOf(endpointId ?? "");
    const { request } = attempt;
    const { signed, header } = prepareSignature(family, request.body, Date.now());
    line.value = receiverCurl(request, header(await hmacHex(new TextEncoder().encode(secret), signed)));
    return text.curl_text;
  };
  return (
    <>
      {endpointId === null || !canSign ? null : <RunButton label={text.curl} run={sign} kind="small" />}
      <Code
        label={line.value === null ? text.curl_old : text.curl}
        text={line.value ?? receiverCurl(attempt.request, headerOf(attempt))}
      />
    </>
  );
}

/** The signature of an attempt, decoded; code that checks it, and the request to send once more by hand. */
export function SignaturePart({ delivery, attempt }: PartProps) {
  const signature = parseSignature(headerOf(attempt));
  if (signature === null) return null;
  const text = signatureWords.value;
  return (
    <div class="two-sides">
      <Section title={terms.value.signature}>
        <Parts signature={signature} body={attempt.request.body} />
        <CheckWithSecret key={attempt.number} attempt={attempt} endpointId={delivery.endpointId} />
      </Section>
      <Section title={text.code}>
        <Snippets label={text.code} of={signatureSnippets(signature.family)} />
        <Curl key={attempt.number} delivery={delivery} attempt={attempt} family={signature.family} />
      </Section>
    </div>
  );
}
