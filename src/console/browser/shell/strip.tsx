import { computed, signal } from "@preact/signals";
import type { AnyInput } from "../api/input.js";
import type { CommandFact } from "../facts/commands.js";
import { routes } from "../facts/routes.js";
import { Copy } from "../parts/copy.js";
import { shown } from "../state/command.js";
import { texts } from "../state/language.js";
import { apiLine, clientCall, commandLine, curlLine } from "../words/command-line.js";

/** The strip at the bottom of the page: the command that shows this view, or does the action under the pointer. */

const words = texts(
  { label: "The same as a command", command: "Command", curl: "curl", client: "Client", json: "JSON" },
  { label: "O mesmo como comando", command: "Comando", curl: "curl", client: "Cliente", json: "JSON" },
);

const commands = signal<Readonly<Record<string, CommandFact>>>({});

/** The facts about commands are larger than the page itself, so they come after it. */
export async function loadCommands(): Promise<void> {
  commands.value = (await import("../facts/commands.js")).commands;
}

/** The command line finds a server at this address by itself. */
const USUAL_ADDRESS = "http://127.0.0.1:4600";

/** The address as the command line writes it. */
function baseUrl(): string {
  return location.origin.replace("//localhost:", "//127.0.0.1:");
}

/** The command line of an operation; empty while the commands are not known. */
export function lineFor(id: string, input: AnyInput): string {
  const fact = commands.value[id];
  const route = routes[id];
  if (route === undefined || Object.keys(commands.value).length === 0) return "";
  const address = baseUrl() === USUAL_ADDRESS ? null : baseUrl();
  return fact === undefined ? apiLine(route, input, address) : commandLine(fact, route, input, address);
}

/** The command of the view or of the action; empty while it is not known. */
export const commandText = computed(() => {
  const operation = shown.value;
  return operation === null ? "" : lineFor(operation.id, operation.input);
});

/** The operations that have a command, by their ids. */
export function knownCommands(): Readonly<Record<string, CommandFact>> {
  return commands.value;
}

export function commandFor(id: string): CommandFact | undefined {
  return commands.value[id];
}

export function Strip() {
  const operation = shown.value;
  const route = operation === null ? undefined : routes[operation.id];
  return (
    <footer class="strip">
      <span class="visually-hidden">{words.value.label}</span>
      <span aria-hidden="true">❯</span>
      <code class="strip-command" data-command="">
        {commandText.value}
      </code>
      {operation === null || route === undefined ? null : (
        <span class="strip-copies">
          <Copy text={commandText.value} label={words.value.command} />
          <Copy text={() => curlLine(route, operation.input, baseUrl())} label={words.value.curl} />
          <Copy text={() => clientCall(operation.id, route, operation.input)} label={words.value.client} />
          <Copy
            text={() => JSON.stringify(operation.input.body ?? operation.input, null, 2)}
            label={words.value.json}
          />
        </span>
      )}
    </footer>
  );
}
