import { computed } from "@preact/signals";
import { asNew, curlLine, operationLine } from "../../../../api/client/request-text.js";
import { fill } from "../../../../base/kernel/message.js";
import { USUAL_PORT } from "../../../../base/kernel/page-address.js";
import { shellWord } from "../../../../base/kernel/shell.js";
import type { AnyInput } from "../api/input.js";
import { commands } from "../facts/commands.js";
import { routes } from "../facts/routes.js";
import { copyText } from "../parts/copy.js";
import { Icon } from "../parts/icon.js";
import { MenuButton } from "../parts/menu.js";
import { book, keyVariable } from "../state/book.js";
import { type Shown, shown } from "../state/command.js";
import { terms, texts } from "../state/language.js";
import { notify } from "../state/notice.js";
import { clientCall } from "../words/client-code.js";

/** The strip at the bottom of the page: the command of this view, or of the action under the pointer. */

const words = texts("strip");

/** The default address, where the command line finds a server by itself. */
const USUAL_ADDRESS = `http://127.0.0.1:${USUAL_PORT}`;

/** The address as the command line writes it. */
function baseUrl(): string {
  return location.origin.replace("//localhost:", "//127.0.0.1:");
}

/** The command line of an operation; empty for one that this page does not know. */
export function lineFor(id: string, input: AnyInput): string {
  const fact = commands[id];
  const route = routes[id];
  if (route === undefined) return "";
  return operationLine(fact, route, { input, baseUrl: address(), flags: route.auth === "key" ? keyFlags() : [] });
}

const address = () => (baseUrl() === USUAL_ADDRESS ? null : baseUrl());

/** Without it, a command would show another book than this page. */
function keyFlags(): string[] {
  const variable = keyVariable(book.value);
  return variable === null ? [] : ["--api-key", `"$${variable}"`];
}

/** A command with the flags that lead to this server and to this book. */
export function lineHere(line: string): string {
  const server = address();
  return [line, ...(server === null ? [] : ["--base-url", shellWord(server)]), ...keyFlags()].join(" ");
}

/** The command of the view or of the action; empty while it is not known. */
export const commandText = computed(() => {
  const operation = shown.value;
  return operation === null ? "" : lineFor(operation.id, operation.input);
});

/** The operation as a request of curl; empty for one that this page does not know. */
export function curlFor(id: string, input: AnyInput): string {
  const route = routes[id];
  if (route === undefined) return "";
  return curlLine(asNew(route, input), baseUrl(), keyVariable(book.value) ?? undefined).line;
}

/** The other forms in which the operation of the view can be copied. */
function copiesOf({
  id,
  input,
}: Shown): readonly { readonly key: "curl" | "client" | "json"; readonly text: string }[] {
  const route = routes[id];
  if (route === undefined) return [];
  return [
    { key: "curl", text: curlFor(id, input) },
    { key: "client", text: clientCall(id, route, input) },
    ...(input.body === undefined ? [] : [{ key: "json" as const, text: JSON.stringify(input.body, null, 2) }]),
  ];
}

export function Strip() {
  const operation = shown.value;
  const copy = (text: string, what: string) =>
    void copyText(text).then(() => notify(fill(words.value.copied, { what })));
  return (
    <footer class="level strip">
      <span class="visually-hidden">{words.value.label}</span>
      <Icon name="terminal-2" />
      <code class="cut strip-command" data-command="">
        {commandText.value}
      </code>
      {operation === null || routes[operation.id] === undefined ? null : (
        <span class="strip-copies">
          <button type="button" class="small quiet" onClick={() => copy(commandText.value, words.value.command)}>
            <Icon name="copy" /> {terms.value.copy}
          </button>
          <MenuButton
            class="small quiet"
            side="above"
            items={copiesOf(operation).map(({ key, text }) => ({
              key,
              label: words.value[key],
              run: () => copy(text, words.value[key]),
            }))}
          >
            {words.value.other}
          </MenuButton>
        </span>
      )}
    </footer>
  );
}
