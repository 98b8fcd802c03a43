import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../../api/call.js";
import { onMessages } from "../../api/live.js";
import { book } from "../../state/book.js";
import { type EndedAttempt, latestAttempts } from "../../words/endpoint-health.js";

/** The latest attempts of an endpoint: read once, and then each delivery again of which the stream tells an attempt. */

const MOST = 50;
/** Each delivery is read by a call of its own. */
const DELIVERIES_READ = 25;

/** Another endpoint may have the same URL: its deliveries are left out. */
async function attemptsOfDelivery(id: string, endpoint: string): Promise<EndedAttempt[]> {
  const { attempts_log, endpointId } = await call("sandbox.deliveries.get", { params: { id } });
  if (endpointId !== endpoint) return [];
  return attempts_log.map(({ number, at, duration_ms: ms, response, error, error_code, error_params }) => ({
    delivery: id,
    number,
    at,
    ms,
    status: response?.status ?? null,
    error,
    error_code,
    error_params,
  }));
}

async function attemptsOfEndpoint(endpoint: string): Promise<EndedAttempt[]> {
  const { data } = await call("sandbox.deliveries.list", { query: { endpoint, limit: DELIVERIES_READ } });
  const begun = data.filter(({ attempts }) => attempts > 0);
  return (await Promise.all(begun.map(({ id }) => attemptsOfDelivery(id, endpoint)))).flat();
}

export function useAnswers(endpoint: string, url: string | undefined): Signal<readonly EndedAttempt[] | null> {
  const known = useSignal<readonly EndedAttempt[] | null>(null);
  const place = book.value;
  useEffect(() => {
    let isOver = false;
    const add = (more: readonly EndedAttempt[]) => {
      if (!isOver) known.value = latestAttempts(known.peek() ?? [], more, MOST);
    };
    const begin = () => void attemptsOfEndpoint(endpoint).then(add, () => add([]));
    known.value = null;
    begin();
    const stop = onMessages((messages) => {
      if (messages.some(({ kind }) => kind === "resync")) begin();
      const told = messages.filter(({ kind, data }) => kind === "attempt" && data.url === url);
      // What cannot be read any more, such as after a reset, is left out.
      for (const id of new Set(told.map(({ data }) => String(data.id))))
        attemptsOfDelivery(id, endpoint).then(add, () => add([]));
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [endpoint, url, place]);
  return known;
}
