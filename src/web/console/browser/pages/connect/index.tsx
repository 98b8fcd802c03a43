import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { Actions } from "../../parts/action.js";
import { CommandLine } from "../../parts/command-line.js";
import { Copy } from "../../parts/copy.js";
import { Page, Section } from "../../parts/page.js";
import { Skeleton } from "../../parts/skeleton.js";
import { Toggles } from "../../parts/toggles.js";
import { NotRead } from "../../parts/why.js";
import { act } from "../../resource/act.js";
import { menuWords } from "../../shell/menu.js";
import { book, bookHeader } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import { storeChoice, storedChoice } from "../../state/stored-choices.js";
import { withoutScheme } from "../../words/delivery-facts.js";
import { download } from "../../words/download.js";
import { Checks } from "./checks.js";
import type { ReceiverLanguage, receiverIn } from "./receivers.js";
import { envBlock, issued, useValues } from "./values.js";

/** The page that connects an application: its variables, a receiver, and three checks. */

const words = texts("connect");

interface BlockProps {
  /** The name of the file. */
  readonly name: string;
  readonly text: string;
  readonly copy: string;
  /** True if copying it is the main action of the page. */
  readonly isMain?: boolean;
  readonly also?: ComponentChildren;
}

/** A file as text, with the button that copies all of it. */
function Block({ name, text, copy, isMain = false, also }: BlockProps) {
  return (
    <figure class="stack code connect-code">
      <figcaption class="flow">
        <code>{name}</code>
        <span class="flow end">
          {also}
          <Copy text={text} label={copy} isMain={isMain} />
        </span>
      </figcaption>
      <section {...{ tabIndex: 0, "aria-label": name }}>
        <pre class="sunken">
          <code>{text}</code>
        </pre>
      </section>
    </figure>
  );
}

/** Shown in place of the block when this server knows only the hash of its keys. */
function NoKey() {
  const place = bookHeader(book.value);
  return (
    <>
      <p>{words.value.no_key}</p>
      <CommandLine of="qa-pay env" />
      <Actions>
        {act("api-keys.issue", {
          label: words.value.new_key,
          body: book.value.mode === "test" ? { test: true } : {},
          done: ({ apiKey }) => {
            issued.value = { ...issued.value, [place]: apiKey };
            return null;
          },
        })}
      </Actions>
    </>
  );
}

const LANGUAGES = ["Node", "Python", "PHP", "Go", "Ruby", "Java"] as const satisfies readonly ReceiverLanguage[];
const CHOICE = "receiver-language";

/** A whole receiver in the language that the person chose last, with the secret in it. */
function Receiver({ secret }: { secret: string }) {
  const chosen = useSignal<ReceiverLanguage>(storedChoice(CHOICE, LANGUAGES) ?? "Node");
  const make = useSignal<typeof receiverIn | null>(null);
  useEffect(() => {
    // Its text is a third of all others of the console, and few visits need it.
    void import("./receivers.js").then((module) => {
      make.value = module.receiverIn;
    });
  }, []);
  const receiver = make.value?.(chosen.value, secret);
  return (
    <>
      <Toggles
        label={words.value.language}
        of={LANGUAGES.map((name) => ({ name, words: name, isOn: name === chosen.value }))}
        onPress={(name) => {
          chosen.value = name;
          storeChoice(CHOICE, name);
        }}
      />
      {receiver === undefined ? (
        <Skeleton />
      ) : (
        <>
          <Block
            name={receiver.file}
            text={receiver.text}
            copy={terms.value.copy}
            also={
              <button
                type="button"
                class="small quiet"
                onClick={() => download(receiver.file, "text/plain", receiver.text)}
              >
                {words.value.download}
              </button>
            }
          />
          <p class="flow">
            {words.value.start_it} <code>{receiver.run}</code>{" "}
            <Copy text={receiver.run} label="" about={terms.value.copy} />
          </p>
        </>
      )}
    </>
  );
}

export function Connect() {
  const chosen = useSignal("");
  const { endpoints, endpoint, key, secret, readings } = useValues(chosen.value);
  const isRead = readings.every(({ data }) => data !== null);
  return (
    <Page
      title={menuWords.value.connect}
      line={words.value.about}
      command={{ id: "sandbox.account", input: {} }}
      side={isRead ? <Checks key={endpoint?.id} keyText={key} endpoint={endpoint} /> : null}
    >
      {isRead ? (
        <>
          <Section title={words.value.env}>
            {endpoints.length < 2 ? null : (
              <Toggles
                label={words.value.secret_of}
                of={endpoints.map(({ id, url }) => ({
                  name: id,
                  words: withoutScheme(url),
                  isOn: id === endpoint?.id,
                }))}
                onPress={(id) => {
                  chosen.value = id;
                }}
              />
            )}
            {key === null || secret === null ? (
              <NoKey />
            ) : (
              <Block
                name=".env"
                text={envBlock(location.origin, key, secret)}
                copy={words.value.copy_env}
                isMain={true}
              />
            )}
            <p class="hint">
              {endpoint === null
                ? words.value.secret_of_account
                : fill(words.value.secret_of_endpoint, { url: endpoint.url })}
            </p>
          </Section>
          <Section title={words.value.receiver}>{secret === null ? null : <Receiver secret={secret} />}</Section>
          <Section title={words.value.next}>
            <p class="flow">
              <a href="/docs" target="_blank" rel="noreferrer">
                {words.value.reference}
              </a>{" "}
              · {words.value.guides} <CommandLine of="qa-pay docs" />
            </p>
          </Section>
        </>
      ) : (
        <NotRead of={readings} />
      )}
    </Page>
  );
}
