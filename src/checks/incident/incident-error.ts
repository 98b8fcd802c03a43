/** What is wrong with an incident, its host, its file or its receiver, as a text for a person. */
export class IncidentError extends Error {
  override readonly name = "IncidentError";

  constructor(
    /** What is at fault: what was asked for, the file, the host of the charge, or the receiver of a replay. */
    readonly code: "usage" | "changed_file" | "unexpected_answer" | "unreachable",
    message: string,
    /** What to do next. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
