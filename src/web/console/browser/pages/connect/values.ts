import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { asFailure, callQuietly } from "../../api/call.js";
import type { Message } from "../../api/live.js";
import { type Loaded, useCall } from "../../api/use-call.js";
import { book, bookHeader } from "../../state/book.js";
import { connection } from "../../state/connection.js";

/** The values that an application needs: address, key and webhook secret, and the endpoint that the secret is of. */

export type Endpoint = OperationAnswer<"webhooks.endpoints.list">["data"][number];

/** Keys that were created in this console, by their books: the server shows each of them once. */
export const issued = signal<Readonly<Record<string, string>>>({});

/** The endpoints that get webhooks, the newest first. */
const activeOf = (endpoints: readonly Endpoint[] = []) => endpoints.filter(({ status }) => status === "ACTIVE");

/** The key of the chosen book, if the server or this console knows it. */
const knownKey = (key: string | null | undefined) => key ?? issued.value[bookHeader(book.value)] ?? null;

/** A change of keys is no event of the service; the message of its request reports it. */
const changesKeys = ({ kind, data }: Message) => kind === "request" && String(data.path).startsWith("/v1/api-keys");

/** A request of the console that changes endpoints. */
const changesEndpoints = ({ kind, data }: Message) =>
  kind === "request" && String(data.path).startsWith("/v1/webhooks/endpoints");

/** The secret of an endpoint. It is read by a request that is no GET, and so by no `useCall`. */
function useSecret(endpoint: string | null): Loaded<string> {
  const turn = useSignal(0);
  const retry = () => {
    turn.value += 1;
  };
  const nothing = { data: null, error: null, isLoading: endpoint !== null, retry };
  const secret = useSignal<Loaded<string>>(nothing);
  useEffect(() => {
    secret.value = nothing;
    let isOver = false;
    const show = (found: Partial<Loaded<string>>) => {
      if (!isOver) secret.value = { ...nothing, isLoading: false, ...found };
    };
    if (endpoint !== null) {
      callQuietly("sandbox.endpoints.reveal", { params: { id: endpoint } }).then(
        (answer) => show({ data: answer.secret }),
        (thrown) => show({ error: asFailure(thrown) }),
      );
    }
    return () => {
      isOver = true;
    };
  }, [endpoint, turn.value, connection.isWorking]);
  return secret.value;
}

/** The lines that `qa-pay env` prints too. */
export function envBlock(url: string, key: string, secret: string): string {
  return `QA_PAY_BASE_URL=${url}\nQA_PAY_API_KEY=${key}\nQA_PAY_WEBHOOK_SECRET=${secret}\n`;
}

/** The account, its endpoints, and of the chosen one the secret. `chosen` is an id; the newest active endpoint if empty. */
export function useValues(chosen: string) {
  const account = useCall("sandbox.account", {}, { on: changesKeys }).state.value;
  const list = useCall("webhooks.endpoints.list", {}, { on: changesEndpoints }).state.value;
  const endpoints = activeOf(list.data?.data);
  const endpoint = endpoints.find(({ id }) => id === chosen) ?? endpoints[0] ?? null;
  const own = useSecret(endpoint?.id ?? null);
  return {
    account,
    endpoints,
    endpoint,
    key: knownKey(account.data?.api_key),
    /** Without an endpoint, the secret that signs what goes to `--forward-to` and to the `webhookUrl` of a payment. */
    secret: endpoint === null ? (account.data?.signing_secret ?? null) : own.data,
    /** What the values are read from. */
    readings: [account, list, ...(endpoint === null ? [] : [own])],
  };
}

/** The same block, read at once for a copy from any page; null if nobody knows the key. */
export async function readEnvBlock(): Promise<string | null> {
  const [account, list] = await Promise.all([
    callQuietly("sandbox.account", {}),
    callQuietly("webhooks.endpoints.list", {}),
  ]);
  const key = knownKey(account.api_key);
  const [endpoint] = activeOf(list.data);
  const own = endpoint && (await callQuietly("sandbox.endpoints.reveal", { params: { id: endpoint.id } }));
  const secret = own?.secret ?? account.signing_secret;
  return key === null || secret === null ? null : envBlock(location.origin, key, secret);
}
