import type { OperationAnswer } from "../../../../client/types.js";
import { useFileAddress } from "../../api/files.js";
import { Code } from "../../parts/json.js";
import { Tabs } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, Time } from "../../parts/values.js";
import { resource } from "../../resource/resource.js";
import { terms, texts } from "../../state/language.js";

/** The local mailbox: every notice e-mail, whether or not a mail server took it. */

const words = texts("mail");

type Mail = OperationAnswer<"sandbox.emails.get">;

function Headers({ headers }: Pick<Mail, "headers">) {
  return (
    <Table
      label={terms.value.headers}
      rows={Object.entries(headers)}
      keyOf={([name]) => name}
      columns={[
        { head: terms.value.header, cell: ([name]) => <code>{name}</code> },
        { head: terms.value.value, cell: ([, value]) => <code>{value}</code> },
      ]}
    />
  );
}

function MailFrame({ id }: Pick<Mail, "id">) {
  return <iframe class="mail" sandbox="" src={useFileAddress(`/mail/${id}`)} title={words.value.frame} />;
}

function Message({ mail }: { mail: Mail }) {
  const { value } = words;
  const views: Readonly<Record<string, () => preact.JSX.Element>> = {
    html: () => <MailFrame id={mail.id} />,
    text: () => <Code text={mail.text} label={terms.value.text} />,
    source: () => <Code text={mail.mime} label={value.source} />,
    headers: () => <Headers headers={mail.headers} />,
  };
  return (
    <Tabs
      tabs={[
        { name: "html", label: value.html },
        { name: "text", label: terms.value.text },
        { name: "source", label: value.source },
        { name: "headers", label: terms.value.headers },
      ]}
    >
      {(name) => views[name]?.()}
    </Tabs>
  );
}

function Relay({ at }: { at: string | null }) {
  if (at === null) return <>{words.value.not_relayed}</>;
  return (
    <>
      <Status status={words.value.relayed} tone="good" /> <Time at={at} />
    </>
  );
}

export const Mail = resource("mail", {
  list: {
    id: "sandbox.emails",
    on: ["mail"],
    filters: ["kind", "case_id"],
    columns: [
      { label: "mail_subject", show: ({ subject }) => subject },
      { field: "to", isExtra: true, isSecond: true },
      { field: "created_at", isExtra: true, isSecond: true },
    ],
    empty: "qa-pay trigger med_case.created",
  },
  object: {
    get: "sandbox.emails.get",
    title: ({ subject }) => subject,
    facts: [
      "kind",
      "to",
      "created_at",
      "case_id",
      { label: "relay", show: ({ relayed_at }) => <Relay at={relayed_at} /> },
    ],
    view: (mail) => <Message mail={mail} />,
  },
});
