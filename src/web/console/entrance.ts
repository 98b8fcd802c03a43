import { ANYONE, type Authenticated, NO_SESSION } from "../../api/http/auth.js";
import { type CallerSurface, checkRole } from "../../api/http/caller-surface.js";
import { type Exchange, header } from "../../api/http/exchange.js";
import type { FrameParts } from "../../api/http/frame.js";
import type { Contract, UserRole } from "../../base/kernel/contract.js";
import { ApiError, fieldError, shorten } from "../../base/kernel/errors.js";
import { MAX_INSTANT } from "../../base/kernel/time.js";
import type { ConsoleAccess, Session } from "../../emulator/sandbox/console-access.js";
import type { CallingUser } from "../../service/features/operation.js";
import type { Reader } from "../../service/features/tx.js";

/** The entrance of the console's page: a session, for every operation and every account. */

export const API_PREFIX = "/console/api";

/** The header with the part of a session that only the console's own page knows; several are separated by spaces. */
const PAGE_PART = "x-qa-console";

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * The name of the cookie of a session. Browsers send cookies to every port of a host, so the port of the address that the
 * browser used is part of the name.
 */
export function cookieName({ request }: Exchange): string {
  return `qa_pay_console_${/:(\d+)$/.exec(header(request, "host") ?? "")?.[1] ?? "80"}`;
}

/**
 * The session that a cookie of a request opens. Several may have its name: any other local server can set one, which
 * must not lock the person out.
 */
function openedBy(exchange: Exchange, find: (cookie: string) => Session | null): Session | null {
  const name = `${cookieName(exchange)}=`;
  for (const one of (header(exchange.request, "cookie") ?? "").split(";")) {
    const cookie = one.trim();
    const session = cookie.startsWith(name) ? find(cookie.slice(name.length)) : null;
    if (session !== null) return session;
  }
  return null;
}

function refused(message: string): ApiError {
  return new ApiError("origin_not_allowed", { message });
}

export function isChange({ request }: Exchange): boolean {
  return request.method !== "GET" && request.method !== "HEAD";
}

/**
 * Refuses requests that a page of another origin sent through a browser. Other clients can send any header, and only
 * the session stops them.
 */
function checkOrigin(exchange: Exchange): void {
  const { request } = exchange;
  const own = exchange.origin;
  const page = `Only the console's own page at ${own}/console/ may call this address`;
  const site = header(request, "sec-fetch-site");
  const origin = header(request, "origin");
  if (site !== undefined && site !== "same-origin")
    throw refused(`${page}, not a page of another address (${shorten(site)}).`);
  if (origin !== undefined && origin !== own) throw refused(`${page}, not one of ${shorten(origin)}.`);
  if (isChange(exchange) && origin === undefined) {
    throw refused(`${page}. A request that changes something needs the header Origin: ${own}.`);
  }
}

/** Forms of other pages cannot send this type. */
function checkType(exchange: Exchange, { upload }: Contract): void {
  if (!isChange(exchange) || upload !== undefined) return;
  const type = header(exchange.request, "content-type") ?? "";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  throw refused("A request of the console that changes something needs the header Content-Type: application/json.");
}

/** The account and mode of the header x-qa-book. Defaults: the first account, and its test book. */
function bookOf({ request }: Exchange, reader: Reader): Pick<Authenticated["caller"], "bookId" | "accountId" | "mode"> {
  const asked = /^([\w-]*):(test|live)$/.exec(header(request, "x-qa-book") ?? ":test");
  const [, id, mode] = asked ?? [];
  const account = id === "" ? reader.accounts.first() : reader.accounts.byId(id ?? "");
  const book = account === null ? null : reader.accounts.book(account.id, mode === "live" ? "live" : "test");
  if (account === null || book === null) {
    const wanted =
      "must be the id of an account of this server with its mode, such as acc_…:test; without an id, the first";
    throw fieldError("x-qa-book", wanted);
  }
  return { bookId: book.id, accountId: account.id, mode: book.mode };
}

const ACTS_AS: UserRole = "OWNER";

/** The owner of an account. The console acts in the owner's name for operations of users. */
async function ownerOf(accountId: string, { tokenId }: Session, reader: Reader): Promise<CallingUser> {
  await reader.usersStored();
  const owner = reader.users.ofAccount(accountId).find(({ role }) => role === ACTS_AS);
  if (owner === undefined) throw new ApiError("unauthorized", { message: "This account has no owner to act for." });
  return { id: owner.id, role: owner.role, tokenId, tokenExpiresAt: MAX_INSTANT };
}

export interface ConsoleEntrance extends CallerSurface {
  /** The session of a request. Throws `unauthorized` without one. */
  sessionOf(exchange: Exchange): Session;
  /** The same for a file: its request has no headers of the page, but may have a ticket in its address. */
  sessionOfFile(exchange: Exchange): Session;
}

/** Returns the console's access to every operation. It throws ApiError (401) for a session that has ended. */
export function consoleEntrance({ reader }: Pick<FrameParts, "reader">, access: ConsoleAccess): ConsoleEntrance {
  function isOpen(session: Session): boolean {
    if (reader().users.isTokenRevoked(session.tokenId)) access.end(session);
    return access.isOpen(session);
  }

  function checked(session: Session | null): Session {
    if (session === null || !isOpen(session)) throw new ApiError("unauthorized", { message: NO_SESSION });
    return session;
  }

  function sessionOf(exchange: Exchange): Session {
    const pageParts = (header(exchange.request, PAGE_PART) ?? "").split(" ");
    return checked(openedBy(exchange, (cookie) => access.session(cookie, pageParts)));
  }

  function callerFor(exchange: Exchange, session: Session): Authenticated {
    const book = bookOf(exchange, reader());
    const { accountId, mode, bookId } = book;
    const isStillIn = (now: Reader) => isOpen(session) && now.accounts.book(accountId, mode)?.id === bookId;
    return { caller: { ...book, user: null }, keyHash: null, isStillIn };
  }

  async function asOwner(who: Authenticated, session: Session): Promise<Authenticated> {
    const user = await ownerOf(who.caller.accountId, session, reader());
    return { ...who, caller: { ...who.caller, user } };
  }

  return {
    prefix: API_PREFIX,
    isConsole: true,
    headers: HEADERS,
    takesSlash: false,
    check: checkOrigin,
    sessionOf,
    sessionOfFile(exchange) {
      const ticket = isChange(exchange) ? null : new URLSearchParams(exchange.search).get("ticket");
      if (ticket === null) return sessionOf(exchange);
      return checked(openedBy(exchange, (cookie) => access.sessionOfFile(cookie, exchange.path, ticket)));
    },
    identify: (contract) => async (exchange, facts) => {
      const session = sessionOf(exchange);
      checkType(exchange, contract);
      const caller = callerFor(exchange, session);
      const who = contract.auth === "jwt" ? await asOwner(caller, session) : caller;
      facts.authenticated = who;
      if (contract.auth === "jwt") checkRole(contract, who);
      return contract.auth === "none" ? ANYONE : who;
    },
  };
}
