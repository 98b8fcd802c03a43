import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { HOUR, MINUTE } from "../../base/kernel/duration.js";
import type { Random, RealTime } from "../../base/kernel/runtime.js";

/**
 * The access to the console: links that start a session, and the sessions of browsers (docs/decisions/050-console-session.md).
 * Both are in memory only and end with the process. Their time is real time.
 */

const LINK_LIFE_MS = MINUTE;
const IDLE_MS = 12 * HOUR;
const MAX_SESSIONS = 100;
const MAX_LINKS = 100;
const TOKEN_BYTES = 24;

interface Link {
  readonly digest: Buffer;
  /** Null for the link of the start, which works as often as it is opened while the server runs. */
  readonly expiresAt: number | null;
}

/**
 * The two parts of a session's secret. Neither grants anything alone: a browser sends the cookie to every port of a host, so
 * that any local server can learn it. The other part stays with the pages of one origin, which includes the port.
 */
export interface SessionParts {
  readonly cookie: string;
  readonly page: string;
}

/** The session of one browser. It stands for every account of this server. */
export interface Session {
  /** Stands for the session where a logged-in user has the id of a token, so that a logout ends the session. */
  readonly tokenId: string;
  /** The digest of the cookie. */
  readonly hash: string;
  /** The digest of the part that the page keeps. The tickets of files are computed with it. */
  readonly pageDigest: Buffer;
  usedAt: number;
}

export type ConsoleAccess = ReturnType<typeof createConsoleAccess>;

/** The address that starts a session with a token, and leads to a page of the console. */
export function linkTo(origin: string, token: string, page: string | null): string {
  return `${origin}/console/open?k=${token}${page === null ? "" : `&to=${encodeURIComponent(page)}`}`;
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

function ticketOf({ pageDigest }: Session, path: string): string {
  return createHmac("sha256", pageDigest).update(path).digest("base64url");
}

function createLinks(random: Random, real: RealTime) {
  const token = random.token(TOKEN_BYTES);
  const first: Link = { digest: digestOf(token), expiresAt: null };
  let links: Link[] = [];
  const isGood = ({ expiresAt }: Link) => expiresAt === null || real.epoch() < expiresAt;
  return {
    /** The token of the link that is shown when the server starts. */
    token,
    /** Creates a link that works once, within a minute. `expiresAt` is in real milliseconds. */
    newLink() {
      const made = { token: random.token(TOKEN_BYTES), expiresAt: real.epoch() + LINK_LIFE_MS };
      links = [...links.filter(isGood), { digest: digestOf(made.token), expiresAt: made.expiresAt }].slice(-MAX_LINKS);
      return made;
    },
    /**
     * True if a token is valid; its link is used up then. It is compared with every link in a time that does not depend on
     * them.
     */
    take(given: string): boolean {
      const digest = digestOf(given);
      const found = [first, ...links].filter((link) => timingSafeEqual(link.digest, digest))[0];
      links = links.filter((link) => link !== found && isGood(link));
      return found !== undefined && isGood(found);
    },
  };
}

/** Returns the links and sessions of the console. They are in memory alone, and end with the server. */
export function createConsoleAccess(random: Random, real: RealTime) {
  const { token, newLink, take } = createLinks(random, real);
  /** By the SHA-256 of the secret, the one that was not used for the longest time first. */
  const sessions = new Map<string, Session>();

  /** True if the session is still valid. The call counts as a use, so that a page that only listens keeps its session. */
  function isOpen(session: Session): boolean {
    const now = real.epoch();
    const isKnown = sessions.delete(session.hash);
    if (!isKnown || now - session.usedAt >= IDLE_MS) return false;
    session.usedAt = now;
    sessions.set(session.hash, session);
    return true;
  }

  /** The session of a cookie, if the rest of the request fits as well. A cookie alone does not even count as a use. */
  function find(cookie: string, isRight: (session: Session) => boolean): Session | null {
    const found = sessions.get(hash("sha256", cookie, "base64url"));
    return found !== undefined && isRight(found) && isOpen(found) ? found : null;
  }

  return {
    token,
    newLink,
    /** Starts a session with the token of a link, and returns its secret; null for an invalid token. */
    open(given: string): SessionParts | null {
      if (!take(given)) return null;
      const [oldest] = sessions.keys();
      if (oldest !== undefined && sessions.size >= MAX_SESSIONS) sessions.delete(oldest);
      const parts = { cookie: random.token(TOKEN_BYTES), page: random.token(TOKEN_BYTES) };
      const key = hash("sha256", parts.cookie, "base64url");
      const pageDigest = digestOf(parts.page);
      sessions.set(key, { hash: key, pageDigest, tokenId: `console_${random.hex(16)}`, usedAt: real.epoch() });
      return parts;
    },
    /**
     * The session of a cookie and one of the page's parts, if it is still valid. The call counts as a use. A page may have the
     * parts of several sessions: when two links are opened at once, it cannot know which cookie the browser kept.
     */
    session: (cookie: string, pageParts: readonly string[]) =>
      find(cookie, ({ pageDigest }) => pageParts.some((part) => timingSafeEqual(pageDigest, digestOf(part)))),
    /** The same, for the address of one file, which has a ticket in place of the page's part. */
    sessionOfFile: (cookie: string, path: string, ticket: string) =>
      find(cookie, (session) => timingSafeEqual(digestOf(ticketOf(session, path)), digestOf(ticket))),
    ticketFor: ticketOf,
    isOpen,
    end: (session: Session) => void sessions.delete(session.hash),
  };
}
