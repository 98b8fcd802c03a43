import { sentencesText } from "../../../../checks/why/finding.js";
import type { Connection } from "../../host/connection.js";
import type { Io } from "../../terminal/io.js";
import { culpritsOf, type Findings, hasFailed } from "./report.js";

/** Of later attempts, which a service that ends with the build never makes. */
const OF_LATER = "next_attempt";

/** As in the timelines. */
const instantText = (iso: string) => iso.replace("T", " ").replace(/\.\d+/, "");

/** Returns the id of the object that a failure is about: a delivery that was not accepted, or the charge whose webhook is missing. */
function idToExplain(findings: Omit<Findings, "cause">): string | null {
  if (!hasFailed(findings)) return null;
  const culprits = culpritsOf(findings);
  const refused = culprits.find(({ status }) => status !== "DELIVERED");
  if (refused !== undefined || culprits.length > 0) return refused?.id ?? null;
  const isMissing = findings.verdicts.some(({ holds }) => !holds);
  return isMissing ? (findings.artifacts?.newest ?? null) : null;
}

/**
 * Returns the cause that `why` names, in English, because the service is gone when somebody reads of the failure. Nothing is sent to the
 * receiver. Null where there is none.
 */
export async function causeOf(
  io: Io,
  connection: Connection,
  findings: Omit<Findings, "cause">,
): Promise<string | null> {
  const given = idToExplain(findings);
  if (given === null) return null;
  const { whyAnswer } = await import("../why/answer.js");
  // A cause that cannot be found is no failure of its own.
  const found = await whyAnswer(io, connection, {}, { given, prove: false }).catch(() => null);
  if (found === null || found.json.code === "unknown") return null;
  return sentencesText({ sentences: found.sentences.filter(({ code }) => code !== OF_LATER) }, instantText);
}
