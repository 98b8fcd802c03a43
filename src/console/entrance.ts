import type { CallingUser } from "../features/operation.js";
import type { Reader } from "../features/tx.js";
import { ANYONE, type Authenticated, NO_SESSION } from "../http/auth.js";
import { checkRole, type Entrance, type Identify } from "../http/entrance.js";
import { type Exchange, header } from "../http/exchange.js";
import type { FrameParts } from "../http/frame.js";
import type { Contract, UserRole } from "../kernel/contract.js";
import { ApiError, fieldError, shortened } from "../kernel/errors.js";
import { MAX_INSTANT } from "../kernel/time.js";
import type { ConsoleAccess, Session } from "./access.js";

/** The entrance of the console's page: a session in a cookie, for every operation and every account. */

export const API_PREFIX = "/console/api";

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

function cookieOf(exchange: Exchange): string {
  const name = `${cookieName(exchange)}=`;
  const cookies = (header(exchange.request, "cookie") ?? "").split(";").map((one) => one.trim());
  return cookies.find((one) => one.startsWith(name))?.slice(name.length) ?? "";
}

function refused(message: string): ApiError {
  return new ApiError("origin_not_allowed", { message });
}

export function isChange({ request }: Exchange): boolean {
  return request.method !== "GET" && request.method !== "HEAD";
}

/**
 * Refuses what does not come from the console's own page. Cookies and SameSite do not tell ports of one host apart, so a
 * page of another local server could otherwise use the session.
 */
function checkOrigin(exchange: Exchange): void {
  const { request } = exchange;
  const own = exchange.origin;
  const page = `Only the console's own page at ${own}/console/ may call this address`;
  const site = header(request, "sec-fetch-site");
  const origin = header(request, "origin");
  if (site !== undefined && site !== "same-origin")
    throw refused(`${page}, not a page of another address (${shortened(site)}).`);
  if (origin !== undefined && origin !== own) throw refused(`${page}, not one of ${shortened(origin)}.`);
  if (!isChange(exchange)) return;
  if (origin === undefined) throw refused(`${page}. A request that changes something needs the header Origin: ${own}.`);
  if (header(request, "x-qa-console") !== "1") {
    throw refused(`${page}. A request that changes something needs the header x-qa-console: 1.`);
  }
}

/** Forms of other pages cannot send this type. */
function checkType(exchange: Exchange, { upload }: Contract): void {
  if (!isChange(exchange) || upload !== undefined) return;
  const type = header(exchange.request, "content-type") ?? "";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  throw refused("A request of the console that changes something needs the header Content-Type: application/json.");
}

/** The account and mode of the header x-qa-book. The first account without an id, and its test book without a header. */
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

/** The owner of an account, in whose name the console does what only users may do. */
async function ownerOf(accountId: string, { tokenId }: Session, reader: Reader): Promise<CallingUser> {
  await reader.usersStored();
  const owner = reader.users.ofAccount(accountId).find(({ role }) => role === ACTS_AS);
  if (owner === undefined) throw new ApiError("unauthorized", { message: "This account has no owner to act for." });
  return { id: owner.id, role: owner.role, tokenId, tokenExpiresAt: MAX_INSTANT };
}

export interface ConsoleEntrance extends Entrance {
  /** The session of a request. Throws `unauthorized` without one. */
  sessionOf(exchange: Exchange): Session;
}

export function consoleEntrance({ reader }: Pick<FrameParts, "reader">, access: ConsoleAccess): ConsoleEntrance {
  function isOpen(session: Session): boolean {
    if (reader().users.isTokenRevoked(session.tokenId)) access.end(session);
    return access.isOpen(session);
  }

  function sessionOf(exchange: Exchange): Session {
    const session = access.session(cookieOf(exchange));
    if (session === null || !isOpen(session)) throw new ApiError("unauthorized", { message: NO_SESSION });
    return session;
  }

  function callerFor(exchange: Exchange, session: Session): Authenticated {
    const book = bookOf(exchange, reader());
    const { accountId, mode, bookId } = book;
    const isStillIn = (now: Reader) => isOpen(session) && now.accounts.book(accountId, mode)?.id === bookId;
    return { caller: { ...book, user: null }, keyHash: null, isStillIn };
  }

  return {
    prefix: API_PREFIX,
    isConsole: true,
    headers: HEADERS,
    takesSlash: false,
    check: checkOrigin,
    sessionOf,
    identify(contract): Identify {
      const begin = (exchange: Exchange) => {
        const session = sessionOf(exchange);
        checkType(exchange, contract);
        return { session, who: callerFor(exchange, session) };
      };
      const ways: Record<Contract["auth"], Identify> = {
        none(exchange, trace) {
          const { who } = begin(exchange);
          trace.authenticated = who;
          return ANYONE;
        },
        key(exchange, trace) {
          const { who } = begin(exchange);
          trace.authenticated = who;
          return who;
        },
        async jwt(exchange, trace) {
          const { session, who } = begin(exchange);
          const user = await ownerOf(who.caller.accountId, session, reader());
          const asOwner = { ...who, caller: { ...who.caller, user } };
          trace.authenticated = asOwner;
          checkRole(contract, asOwner);
          return asOwner;
        },
      };
      return ways[contract.auth];
    },
  };
}
