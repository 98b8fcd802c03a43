import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { canSign } from "../../api/digest.js";
import { Code, Json } from "../../parts/json.js";
import { Section } from "../../parts/page.js";
import { Status } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { terms, texts } from "../../state/language.js";
import { type Jws, type JwsVerdict, takeApart, verifyJws } from "../../words/jws.js";

/** The signed payload of a Pix charge: what a payer's bank reads at the address in the BR Code, taken apart. */

const words = texts("charges_payload");

type Signed = { readonly jws: Jws; readonly keySet: unknown; readonly verdict: JwsVerdict | "unchecked" };

async function read(address: string): Promise<Signed | "gone" | "none" | "odd"> {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) return answer.status === 410 ? "gone" : "none";
  const jws = takeApart(await answer.text());
  if (jws === null) return "odd";
  const keySet: unknown = await (await fetch("/qr/jwks", { cache: "no-store" })).json();
  return { jws, keySet, verdict: canSign ? await verifyJws(jws, keySet) : "unchecked" };
}

const TONES = { right: "good", wrong: "bad", unknown_key: "bad", unchecked: "plain" } as const;

function Parts({ of: { jws, keySet, verdict } }: { of: Signed }) {
  return (
    <>
      <p>
        <Status status={verdict} tone={TONES[verdict]}>
          {words.value[verdict]}
        </Status>
      </p>
      <Json label={terms.value.header} value={jws.header} />
      <Json label={words.value.payload} value={jws.payload} />
      <Code label={terms.value.signature} text={jws.signature} />
      <Json label={words.value.keys} value={keySet} />
    </>
  );
}

/** `status` is the one of the charge: the payload has it too, and is read again when it changes. */
export function Payload({ rawId, status }: { rawId: string; status: string }) {
  const found = useSignal<Signed | "gone" | "none" | "odd" | "unreachable" | null>(null);
  const address = `/qr/v2/${rawId.replaceAll("-", "")}`;
  useEffect(() => {
    let isOver = false;
    void read(address)
      .catch(() => "unreachable" as const)
      .then((answer) => {
        if (!isOver) found.value = answer;
      });
    return () => {
      isOver = true;
    };
  }, [address, status]);
  const { value } = found;
  return (
    <Section title={words.value.title}>
      <p class="hint">{words.value.about}</p>
      <Code text={`curl -s ${location.origin}${address}`} />
      {value === null && <p class="hint">{shared.value.loading}</p>}
      {value === "unreachable" && <p>{shared.value.unreachable}</p>}
      {(value === "gone" || value === "none" || value === "odd") && <p>{words.value[value]}</p>}
      {typeof value === "object" && value !== null && <Parts of={value} />}
    </Section>
  );
}
