/** The ports of `demo`. */

/** How many ports are tried. */
const PORTS_TRIED = 100;

/** Starts something at the port that was given, else at the first free one from the usual port on. Rejects with ListenError. */
export async function atPort<Started>(
  given: number | null,
  usual: number,
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  for (let port = given ?? usual; ; port += 1) {
    try {
      return await start(port);
    } catch (error) {
      const isTaken = error instanceof Error && error.name === "ListenError";
      if (!isTaken || given !== null || port === usual + PORTS_TRIED - 1) throw error;
    }
  }
}
