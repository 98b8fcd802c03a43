import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { EMULATED_ISPB } from "../../../../../base/pix/ids.js";
import { canSign } from "../../api/digest.js";
import { Code, Json } from "../../parts/json.js";
import { Facts, Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { language, terms, texts } from "../../state/language.js";
import { textsIn } from "../../texts/index.js";
import { type EmvField, isCrcRight, readEmv } from "../../words/emv.js";
import { endToEndParts } from "../../words/end-to-end-id.js";
import { type Jws, type JwsVerdict, takeApart, verifyJws } from "../../words/jws.js";
import type { Subject } from "./subject.js";

const words = texts("charges_page");
const payloadWords = texts("charges_payload");

/** The signed payload of a Pix charge, decoded: a payer's bank reads it at the address in the BR Code. */

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
          {payloadWords.value[verdict]}
        </Status>
      </p>
      <Json label={terms.value.header} value={jws.header} />
      <Json label={payloadWords.value.payload} value={jws.payload} />
      <Code label={terms.value.signature} text={jws.signature} />
      <Json label={payloadWords.value.keys} value={keySet} />
    </>
  );
}

/** `status` is that of the charge: the payload includes it, and is read again when it changes. */
function Payload({ rawId, status }: { rawId: string; status: string }) {
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
    <Section title={payloadWords.value.title}>
      <p class="hint">{payloadWords.value.about}</p>
      <Code text={`curl -s ${location.origin}${address}`} />
      {value === null && <p class="hint">{shared.value.loading}</p>}
      {value === "unreachable" && <p>{shared.value.unreachable}</p>}
      {(value === "gone" || value === "none" || value === "odd") && <p>{payloadWords.value[value]}</p>}
      {typeof value === "object" && value !== null && <Parts of={value} />}
    </Section>
  );
}

interface NamedField {
  /** The ids of the template and the field, such as `26-25`. */
  readonly name: string;
  readonly field: EmvField;
}

/** All fields in the order of the code; the fields inside a template follow it. */
function allFields(fields: readonly EmvField[], above = ""): readonly NamedField[] {
  return fields.flatMap((field) => [{ name: above + field.id, field }, ...allFields(field.fields, `${field.id}-`)]);
}

function BrCode({ text }: { text: string }) {
  const { value } = words;
  const code = readEmv(text);
  const { told = "—", computed = null } = code.crc ?? {};
  const isRight = isCrcRight(code);
  const verdict = fill(isRight ? value.crc_right : value.crc_wrong, { crc: told, told, computed: computed ?? "—" });
  /** The names of the Central Bank's manual. */
  const names: Readonly<Record<string, string>> = textsIn(language.value).charges_emv_names;
  return (
    <Section title={value.code}>
      <Code text={text} label={value.code} />
      <Table
        label={value.code}
        rows={allFields(code.fields)}
        keyOf={({ name }) => name}
        columns={[
          {
            head: terms.value.field,
            cell: ({ name }) => (
              <>
                <code>{name}</code> {names[name]}
              </>
            ),
          },
          { head: value.length, cell: ({ field }) => field.length, isNumber: true },
          {
            head: terms.value.value,
            cell: ({ field }) => (field.fields.length > 0 ? null : <code>{field.value}</code>),
            wraps: true,
          },
        ]}
      />
      <p>
        {value.crc}: <Status status={verdict} tone={isRight ? "good" : "bad"} />
      </p>
    </Section>
  );
}

function EndToEnd({ id }: { id: string | undefined }) {
  if (id === undefined) return <p class="hint">{words.value.e2e_none}</p>;
  const parts = endToEndParts(id);
  if (parts === null) return <p>{words.value.e2e_odd}</p>;
  const { kind, ispb, at, sequence } = parts;
  return (
    <>
      <Code text={id} />
      <Facts
        of={[
          [terms.value.kind, kind === "E" ? words.value.e2e_payment : words.value.e2e_return],
          [words.value.e2e_ispb, ispb === EMULATED_ISPB ? `${ispb}, ${words.value.e2e_emulated}` : ispb],
          [words.value.e2e_at, at],
          [words.value.e2e_sequence, sequence],
        ]}
      />
    </>
  );
}

/** The Pix of a charge: its QR code, the fields of the BR Code, the payload's address, and the id between the banks. */
export function PixTab({ subject: { charge, rawId } }: { subject: Subject }) {
  const pix = charge?.pix;
  if (charge === null || pix === undefined) return <p class="hint">{words.value.no_pix}</p>;
  return (
    <>
      {pix.br_code === undefined ? (
        <p class="hint">{words.value.no_code}</p>
      ) : (
        <>
          <Section title={words.value.qr}>
            <img class="qr" src={`/qr/${rawId}.png`} alt={words.value.qr_alt} width={240} height={240} />
          </Section>
          <BrCode text={pix.br_code} />
        </>
      )}
      <Section title={words.value.txid}>
        {pix.txid === undefined ? null : <Code text={pix.txid} />}
        <p class="hint">{words.value.txid_hint}</p>
      </Section>
      <Payload rawId={rawId} status={charge.status} />
      <Section title={terms.value.end_to_end_id}>
        <EndToEnd id={charge.settlement.end_to_end_id} />
      </Section>
    </>
  );
}
