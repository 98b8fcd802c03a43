import { type Incident, readIncident } from "../../../../checks/incident/file.js";
import { IncidentError } from "../../../../checks/incident/incident-error.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import { withoutMark } from "../../terminal/find-file.js";
import type { Io } from "../../terminal/io.js";
import { readNamedText } from "../../terminal/named-file.js";

/** The common parts of the commands of `incident`: their file and their exit codes. */

const EXIT_CODES = {
  usage: EXIT.usage,
  changed_file: EXIT.refused,
  unexpected_answer: EXIT.unreachable,
  unreachable: EXIT.unreachable,
} as const satisfies Record<IncidentError["code"], number>;

/** The work of a command, with Failure instead of IncidentError. */
export function withExitCodes<Asked, Done>(work: (request: Asked) => Promise<Done>): (request: Asked) => Promise<Done> {
  return (request) =>
    work(request).catch((error: unknown) => {
      if (!(error instanceof IncidentError)) throw error;
      throw new Failure(EXIT_CODES[error.code], error.code, error.message, error.hint);
    });
}

/** Reads the file that a command names; - is standard input. Throws Failure, or IncidentError for a file that is no incident. */
export async function incidentIn(io: Io, name: string): Promise<Incident> {
  const isPiped = name === "-";
  const text = isPiped ? withoutMark(await io.readInput()) : readNamedText(io, name);
  return readIncident(text, isPiped ? "standard input" : name);
}
