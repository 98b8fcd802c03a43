import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../client/types.js";
import { useFileAddress } from "../../api/files.js";
import { useCall } from "../../api/use-call.js";
import { byCursor, useList } from "../../api/use-list.js";
import { Empty } from "../../parts/empty.js";
import { Code } from "../../parts/json.js";
import { List } from "../../parts/list.js";
import { Facts, Page, Show, Tabs } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { Table } from "../../parts/table.js";
import { ObjectLink, Status, Time } from "../../parts/values.js";
import { shared } from "../../parts/words.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";

/** The local mailbox: every notice e-mail, whether or not a mail server took it. */

const words = texts("mail");

const KINDS = ["MED opened", "MED resolved"] as const;

function MailList({ open }: { open: string | undefined }) {
  const { query } = useLocation();
  const { kind, case_id } = query;
  const filters = { ...(kind === undefined ? {} : { kind }), ...(case_id === undefined ? {} : { case_id }) };
  const list = useList(
    "sandbox.emails",
    { query: filters },
    { rows: ({ data }) => data, key: ({ id }) => id, more: byCursor, on: ["mail"] },
  );
  const isFiltered = Object.keys(filters).length > 0;
  const { value } = words;
  return (
    <Page title={menuWords.value.mail} command={{ id: "sandbox.emails", input: { query: filters } }}>
      <List
        caption={menuWords.value.mail}
        list={list}
        filters={[
          { name: "kind", label: terms.value.kind, kind: "choice", choices: KINDS },
          { name: "case_id", label: terms.value.med_case },
        ]}
        open={open}
        href={({ id }) => `/console/mail/${id}`}
        columns={[
          { head: value.subject, cell: ({ subject }) => subject },
          { head: terms.value.to, isExtra: true, isSecond: true, cell: ({ to }) => to },
          { head: value.at, isExtra: true, isSecond: true, cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          isFiltered ? (
            <p>{shared.value.no_match}</p>
          ) : (
            <Empty text={value.empty} command="qa-pay trigger med_case.created" />
          )
        }
      />
    </Page>
  );
}

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

function MailPage({ id }: { id: string }) {
  const { state } = useCall("sandbox.emails.get", { params: { id } });
  const mail = state.value.data;
  const { value } = words;
  return (
    <Page
      title={mail?.subject ?? id}
      command={{ id: "sandbox.emails.get", input: { params: { id } } }}
      above={{ href: "/console/mail", title: menuWords.value.mail }}
    >
      <Show of={state.value}>
        {(found) => (
          <>
            <Facts
              of={[
                [terms.value.kind, found.kind],
                [terms.value.to, found.to],
                [value.at, <Time at={found.created_at} />],
                [terms.value.med_case, <ObjectLink id={found.case_id} />],
                [
                  value.relay,
                  found.relayed_at === null ? (
                    value.not_relayed
                  ) : (
                    <>
                      <Status status={value.relayed} tone="good" /> <Time at={found.relayed_at} />
                    </>
                  ),
                ],
              ]}
            />
            <Message mail={found} />
          </>
        )}
      </Show>
    </Page>
  );
}

export function Mail({ id }: { id?: string }) {
  return <Split list={<MailList open={id} />}>{id === undefined ? null : <MailPage id={id} />}</Split>;
}
