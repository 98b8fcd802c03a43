/** A problem with an incident, its host, its file or its receiver, as a text for a person. */
export class IncidentError extends Error {
  override readonly name = "IncidentError";

  constructor(
    /** The place of the fault: the request of the user, the file, the host of the charge, or the receiver of a replay. */
    readonly code: "usage" | "changed_file" | "unexpected_answer" | "unreachable",
    message: string,
    /** The advice for the next step. */
    readonly hint?: string,
  ) {
    super(message);
  }
}
