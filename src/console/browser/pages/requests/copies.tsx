import { apiLine, curlLine } from "../../../../client/repeated-request.js";
import { routes } from "../../facts/routes.js";
import { Section } from "../../parts/page.js";
import { Snippets } from "../../parts/snippets.js";
import { clientLine, powerShellLine, vitestText } from "../../words/request-lines.js";
import type { Logged } from "./outcome.js";
import { words } from "./words.js";

/** The request as text for a shell, a program and a test. */
export function Copies({ entry }: { entry: Logged }) {
  const baseUrl = location.origin;
  const curl = curlLine(entry, baseUrl);
  const api = apiLine(entry, baseUrl);
  return (
    <Section title={words.value.copy_as}>
      <Snippets
        label={words.value.copy_as}
        of={[
          { name: "curl", text: curl.line, notes: curl.notes },
          { name: "PowerShell", text: powerShellLine(entry, baseUrl).line, notes: curl.notes },
          { name: "qa-pay api", text: api.line, notes: api.notes },
          { name: "Client", text: clientLine(routes, entry) ?? words.value.note_no_client },
          { name: "Vitest", text: vitestText(entry) },
        ]}
      />
    </Section>
  );
}
