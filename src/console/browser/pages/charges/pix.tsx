import { fill } from "../../../../kernel/message.js";
import { EMULATED_ISPB } from "../../../../pix/ids.js";
import { Code } from "../../parts/json.js";
import { Facts, Section } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status } from "../../parts/values.js";
import { language, terms, texts } from "../../state/language.js";
import { textsIn } from "../../texts/index.js";
import { type EmvField, isCrcRight, readEmv } from "../../words/emv.js";
import { endToEndParts } from "../../words/end-to-end-id.js";
import { Payload } from "./payload.js";
import type { Subject } from "./subject.js";

const words = texts("charges_page");

interface NamedField {
  /** The ids of the template and the field, such as `26-25`. */
  readonly name: string;
  readonly field: EmvField;
}

/** All fields in the order of the code, those inside a template behind it. */
function allFields(fields: readonly EmvField[], above = ""): readonly NamedField[] {
  return fields.flatMap((field) => [{ name: above + field.id, field }, ...allFields(field.fields, `${field.id}-`)]);
}

function BrCode({ text }: { text: string }) {
  const { value } = words;
  const code = readEmv(text);
  const { told = "—", computed = null } = code.crc ?? {};
  const isRight = isCrcRight(code);
  const verdict = fill(isRight ? value.crc_right : value.crc_wrong, { crc: told, told, computed: computed ?? "—" });
  /** As the Central Bank's manual has them. */
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
  const { value } = words;
  if (id === undefined) return <p class="hint">{value.e2e_none}</p>;
  const parts = endToEndParts(id);
  if (parts === null) return <p>{value.e2e_odd}</p>;
  const { kind, ispb, at, sequence } = parts;
  return (
    <>
      <Code text={id} />
      <Facts
        of={[
          [terms.value.kind, kind === "E" ? value.e2e_payment : value.e2e_return],
          [value.e2e_ispb, ispb === EMULATED_ISPB ? `${ispb}, ${value.e2e_emulated}` : ispb],
          [value.e2e_at, at],
          [value.e2e_sequence, sequence],
        ]}
      />
    </>
  );
}

/** The Pix of a charge: its QR code, the fields of the BR Code, the payload's address, and the id between the banks. */
export function PixTab({ subject: { charge, rawId } }: { subject: Subject }) {
  const { value } = words;
  const pix = charge?.pix;
  if (charge === null || pix === undefined) return <p class="hint">{value.no_pix}</p>;
  return (
    <>
      {pix.br_code === undefined ? (
        <p class="hint">{value.no_code}</p>
      ) : (
        <>
          <Section title={value.qr}>
            <img class="qr" src={`/qr/${rawId}.png`} alt={value.qr_alt} width={240} height={240} />
          </Section>
          <BrCode text={pix.br_code} />
        </>
      )}
      <Section title={value.txid}>
        {pix.txid === undefined ? null : <Code text={pix.txid} />}
        <p class="hint">{value.txid_hint}</p>
      </Section>
      <Payload rawId={rawId} status={charge.status} />
      <Section title={terms.value.end_to_end_id}>
        <EndToEnd id={charge.settlement.end_to_end_id} />
      </Section>
    </>
  );
}
