import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { callQuietly } from "../../api/call.js";
import { canSign, sha256Hex } from "../../api/digest.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { Icon } from "../../parts/icon.js";
import { Section } from "../../parts/page.js";
import { Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { objectPage } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { texts } from "../../state/language.js";
import { hostOf } from "../../words/delivery-facts.js";
import { timeOfDay } from "../../words/time.js";
import { RECEIVER_EVENTS, RECEIVER_URL } from "../../words/usual-receiver.js";
import { CreateAndPay } from "../overview/create-and-pay.js";
import type { Endpoint } from "./values.js";

/** Three checks that turn green by themselves: a request arrived, a webhook was accepted, a signature was verified. */

const words = texts("connect_checks");

type CheckState = "wait" | "good" | "bad";

const SHAPES = { wait: "clock", good: "check", bad: "x" } as const;

interface CheckProps {
  readonly state: CheckState;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Check({ state, title, children }: CheckProps) {
  return (
    <li class={`check check-${state}`}>
      <span class="check-mark">
        <Icon name={SHAPES[state]} />
        <span class="visually-hidden">{words.value.states[state]}</span>
      </span>
      <div class="stack">
        <b>{title}</b>
        <div>{children}</div>
      </div>
    </li>
  );
}

/** The fingerprint by which the request log knows a key; empty where the browser has no cryptography. */
function usePrint(key: string | null): string | null {
  const print = useSignal<string | null>(null);
  useEffect(() => {
    if (key === null || !canSign) print.value = "";
    else void sha256Hex(key).then((hash) => (print.value = hash.slice(0, 16)));
  }, [key]);
  return print.value;
}

/** The latest request with the key. The console sends none: it has a session. */
function RequestCheck({ keyText }: { keyText: string | null }) {
  const print = usePrint(keyText);
  const query = print === null || print === "" ? { limit: 20 } : { q: print, limit: 1 };
  const { data } = useCall("sandbox.requests", { query }, { on: ["request"], when: print !== null }).state.value;
  const found = data?.data.find(({ key_fingerprint: own }) => own !== null);
  if (found === undefined) {
    return (
      <Check state="wait" title={words.value.request}>
        <p class="hint">{words.value.request_wait}</p>
      </Check>
    );
  }
  const { method, path, status, at, number, caller } = found;
  return (
    <Check state="good" title={words.value.request}>
      <a href={withBook(`/console/requests/${number}`)}>
        <code>
          {method} {path}
        </code>{" "}
        → {status}
      </a>{" "}
      <span class="hint">
        <Time at={at} text={timeOfDay} />
        {caller === null ? null : ` · ${caller}`}
      </span>
    </Check>
  );
}

type Delivery = OperationAnswer<"sandbox.deliveries.list">["data"][number];

/** The latest webhook that the endpoint accepted; without an endpoint, that any receiver accepted. */
function useAccepted(endpoint: Endpoint | null): Delivery | null {
  const query = { status: "DELIVERED", limit: 1, ...(endpoint === null ? {} : { endpoint: endpoint.id }) } as const;
  return useCall("sandbox.deliveries.list", { query }, { on: ["attempt"] }).state.value.data?.data[0] ?? null;
}

function WebhookCheck({ endpoint, accepted }: { endpoint: Endpoint | null; accepted: Delivery | null }) {
  if (accepted !== null) {
    return (
      <Check state="good" title={words.value.webhook}>
        <a href={withBook(objectPage(accepted.id) ?? "")}>
          {fill(words.value.webhook_done, {
            event: accepted.eventType,
            host: hostOf(accepted.url),
            status: accepted.lastStatusCode,
          })}
        </a>{" "}
        <span class="hint">
          <Time at={accepted.deliveredAt ?? accepted.updatedAt} text={timeOfDay} />
        </span>
      </Check>
    );
  }
  return (
    <Check state="wait" title={words.value.webhook}>
      {endpoint === null ? (
        <>
          <p class="hint">{words.value.webhook_no_endpoint}</p>
          <Actions>
            {act("webhooks.endpoints.create", {
              label: words.value.add_endpoint,
              ask: [
                { name: "url", value: RECEIVER_URL },
                { name: "events", value: RECEIVER_EVENTS.join(",") },
              ],
              done: () => null,
            })}
          </Actions>
        </>
      ) : (
        <>
          <p class="hint">{fill(words.value.webhook_wait, { url: endpoint.url })}</p>
          <CreateAndPay />
        </>
      )}
    </Check>
  );
}

type Verdict = "checking" | "verifies" | "believes" | "unreachable";

/** A right signature was accepted; this sends the receiver a wrong one, which it must refuse. */
async function verdictOn({ endpointId, url }: Delivery): Promise<{ verdict: Verdict; answer: number | null }> {
  const whom = endpointId === null ? { url } : { endpoint: endpointId };
  const only = { only: ["wrong-signature"], timeout_seconds: 5 };
  const { reachable, cases } = await callQuietly("sandbox.receivers.test", { body: { ...whom, ...only } });
  const [found] = cases;
  const answer = found?.answers[0]?.status_code ?? null;
  if (!reachable || found === undefined) return { verdict: "unreachable", answer };
  return { verdict: found.verdict === "passed" ? "verifies" : "believes", answer };
}

/** Checks the receiver after each webhook that it accepted, until it refuses a wrong signature. */
function SignatureCheck({ accepted }: { accepted: Delivery | null }) {
  const found = useSignal<{ verdict: Verdict; answer: number | null } | null>(null);
  const url = accepted?.url ?? null;
  useEffect(() => {
    found.value = null;
  }, [url]);
  const check = () => {
    if (accepted === null || found.peek()?.verdict === "checking") return;
    found.value = { verdict: "checking", answer: null };
    verdictOn(accepted).then(
      (next) => (found.value = next),
      () => (found.value = { verdict: "unreachable", answer: null }),
    );
  };
  useEffect(() => {
    if (found.peek()?.verdict !== "verifies") check();
  }, [accepted?.id]);
  const { verdict, answer } = found.value ?? {};
  if (accepted === null || found.value === null || verdict === "checking") {
    return (
      <Check state="wait" title={words.value.signature}>
        <p class="hint">{accepted === null ? words.value.signature_wait : words.value.signature_checking}</p>
      </Check>
    );
  }
  if (verdict === "verifies") {
    return (
      <Check state="good" title={words.value.signature}>
        <span>{fill(words.value.signature_done, { right: accepted.lastStatusCode, wrong: answer })}</span>
      </Check>
    );
  }
  return (
    <Check state="bad" title={words.value.signature}>
      <p>{verdict === "unreachable" ? words.value.signature_gone : fill(words.value.signature_believes, { answer })}</p>
      <button type="button" class="small" onClick={check}>
        {words.value.check_again}
      </button>
    </Check>
  );
}

export function Checks({ keyText, endpoint }: { keyText: string | null; endpoint: Endpoint | null }) {
  const accepted = useAccepted(endpoint);
  return (
    <Section title={words.value.title}>
      <ol class="stack checks" aria-live="polite">
        <RequestCheck keyText={keyText} />
        <WebhookCheck endpoint={endpoint} accepted={accepted} />
        <SignatureCheck accepted={accepted} />
      </ol>
      <p class="hint">{words.value.about}</p>
    </Section>
  );
}
