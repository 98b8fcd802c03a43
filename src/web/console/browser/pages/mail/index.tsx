import { useFileAddress } from "../../api/files.js";
import { Empty } from "../../parts/empty.js";
import { Code } from "../../parts/json.js";
import { Tabs } from "../../parts/page.js";
import { Table } from "../../parts/table.js";
import { Status, Time } from "../../parts/values.js";
import { NotRead } from "../../parts/why.js";
import { resource } from "../../resource/resource.js";
import { terms, texts } from "../../state/language.js";
import { MedViews } from "../med/views.js";

/** The e-mails that the service wrote, also those that no mail server accepted. */

const words = texts("mail");
const emptyWords = texts("empty");

/** A subject ends with the id of its case, which says nothing to a person and takes half of the line. */
export const shortSubject = (subject: string) => subject.replace(/ \([a-z]+_[\da-f-]{36}\)$/, "");

function MailFrame({ id }: { id: string }) {
  const { address, error, retry } = useFileAddress(`/mail/${id}`);
  if (error !== null) return <NotRead of={[{ data: null, error, isLoading: false, retry }]} />;
  return <iframe class="sheet mail" sandbox="" src={address} title={words.value.frame} />;
}

export const Mail = resource("med", {
  list: {
    id: "sandbox.emails",
    on: ["mail"],
    file: "mail",
    views: () => <MedViews />,
    filters: ["kind", "case_id"],
    columns: [
      { label: "mail_subject", show: ({ subject }) => shortSubject(subject) },
      { field: "to", isExtra: true, isSecond: true },
      { field: "created_at", isExtra: true, isSecond: true },
    ],
    empty: () => <Empty text={emptyWords.value.mail} command="qa-pay trigger med_case.created" />,
  },
  object: {
    get: "sandbox.emails.get",
    listView: "mail",
    title: ({ subject }) => shortSubject(subject),
    facts: [
      "kind",
      "to",
      "created_at",
      "case_id",
      {
        label: "relay",
        show: ({ relayed_at: at }) =>
          at === null ? (
            words.value.not_relayed
          ) : (
            <>
              <Status status={words.value.relayed} tone="good" /> <Time at={at} />
            </>
          ),
      },
    ],
    view: ({ id, text, mime, headers }) => (
      <Tabs
        names={{ ...words.value, text: terms.value.text, headers: terms.value.headers }}
        of={{
          html: () => <MailFrame id={id} />,
          text: () => <Code text={text} label={terms.value.text} />,
          source: () => <Code text={mime} label={words.value.source} />,
          headers: () => (
            <Table
              label={terms.value.headers}
              rows={Object.entries(headers)}
              keyOf={([name]) => name}
              columns={[
                { head: terms.value.header, cell: ([name]) => <code>{name}</code> },
                { head: terms.value.value, cell: ([, value]) => <code>{value}</code> },
              ]}
            />
          ),
        }}
      />
    ),
  },
});
