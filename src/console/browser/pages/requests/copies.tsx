import { apiLine, asSent, curlLine, inputOf } from "../../../../client/request-text.js";
import { allRoutes } from "../../facts/all-routes.js";
import { Section } from "../../parts/page.js";
import { Snippets } from "../../parts/snippets.js";
import { texts } from "../../state/language.js";
import { clientCall } from "../../words/client-code.js";
import { powerShellLine, vitestText } from "../../words/request-lines.js";
import type { Logged } from "./outcome.js";

const words = texts("requests");

/** The request as text for a shell, a program and a test. */
export function Copies({ entry }: { entry: Logged }) {
  const baseUrl = location.origin;
  const request = asSent(entry, allRoutes);
  const called = inputOf(entry, allRoutes);
  const curl = curlLine(request, baseUrl);
  const api = apiLine(request, baseUrl);
  const client = called === null ? words.value.note_no_client : clientCall(called.route.id, called.route, called.input);
  return (
    <Section title={words.value.copy_as}>
      <Snippets
        label={words.value.copy_as}
        of={[
          { name: "curl", text: curl.line, notes: curl.notes },
          { name: "PowerShell", text: powerShellLine(request, baseUrl).line, notes: curl.notes },
          { name: "qa-pay api", text: api.line, notes: api.notes },
          { name: "Client", text: client },
          { name: "Vitest", text: vitestText(entry, request) },
        ]}
      />
    </Section>
  );
}
