import { describe, expect, it } from "vitest";
import { createRandom, realTime } from "../../../src/base/platform/real-runtime.js";
import {
  type ConsoleAccess,
  createConsoleAccess,
  type SessionParts,
} from "../../../src/emulator/sandbox/console-access.js";

/** Links and sessions of the console, with a real time that stands still until a test moves it. */

const HOUR = 3_600_000;

function at(start = 1_000_000) {
  const time = { now: start };
  return { time, access: createConsoleAccess(createRandom(), { ...realTime, epoch: () => time.now }) };
}

function sessionOf(access: ConsoleAccess): SessionParts {
  const secret = access.open(access.token);
  if (secret === null) throw new Error("the link of the start opens nothing");
  return secret;
}

const enter = (access: ConsoleAccess, { cookie, page }: SessionParts) => access.session(cookie, [page]);

describe("a link", () => {
  it("of the start works again and again, and keeps no earlier session from going on", () => {
    const { access, time } = at();
    const first = sessionOf(access);
    time.now += 11 * HOUR;
    const second = sessionOf(access);
    expect(second).not.toBe(first);
    expect([enter(access, first), enter(access, second)]).not.toContain(null);
  });

  it("that was requested works once", () => {
    const { access } = at();
    const { token } = access.newLink();
    expect(access.open(token)).not.toBeNull();
    expect(access.open(token)).toBeNull();
  });

  it("that was requested works until its minute is over", () => {
    const { access, time } = at();
    const [inTime, late] = [access.newLink(), access.newLink()];
    expect(inTime.expiresAt).toBe(time.now + 60_000);
    time.now += 59_999;
    expect(access.open(inTime.token)).not.toBeNull();
    time.now += 1;
    expect(access.open(late.token)).toBeNull();
  });

  it("drops the oldest ones when very many wait", () => {
    const { access } = at();
    const links = Array.from({ length: 101 }, () => access.newLink().token);
    expect(access.open(links[0] ?? "")).toBeNull();
    expect(access.open(links[1] ?? "")).not.toBeNull();
  });
});

describe("a session", () => {
  it("ends when it was not used for twelve hours", () => {
    const { access, time } = at();
    const [used, idle] = [sessionOf(access), sessionOf(access)];
    time.now += 12 * HOUR - 1;
    expect(enter(access, used)).not.toBeNull();
    time.now += 1;
    expect(enter(access, idle)).toBeNull();
    time.now += 11 * HOUR;
    expect(enter(access, used)).not.toBeNull();
  });

  it("is kept by an open page that only listens", () => {
    const { access, time } = at();
    const secret = sessionOf(access);
    const session = enter(access, secret);
    if (session === null) throw new Error("there is no session");
    for (let hours = 0; hours < 36; hours += 6) {
      time.now += 6 * HOUR;
      expect(access.isOpen(session)).toBe(true);
    }
    time.now += 12 * HOUR;
    expect(access.isOpen(session)).toBe(false);
    expect(enter(access, secret)).toBeNull();
  });

  it("ends when it is ended, and no other one", () => {
    const { access } = at();
    const [one, other] = [sessionOf(access), sessionOf(access)];
    const session = enter(access, one);
    if (session === null) throw new Error("there is no session");
    access.end(session);
    expect(enter(access, one)).toBeNull();
    expect(access.isOpen(session)).toBe(false);
    expect(enter(access, other)).not.toBeNull();
  });

  it("drops the one that was unused longest when the hundred and first comes", () => {
    const { access } = at();
    const secrets = Array.from({ length: 100 }, () => sessionOf(access));
    const [first, second] = secrets;
    if (first === undefined || second === undefined) throw new Error("there are no sessions");
    enter(access, first);
    const last = sessionOf(access);
    expect(enter(access, second)).toBeNull();
    expect(enter(access, first)).not.toBeNull();
    expect(enter(access, last)).not.toBeNull();
  });

  it("is opened by a page that also has the parts of other sessions", () => {
    const { access } = at();
    const [one, other, third] = [sessionOf(access), sessionOf(access), sessionOf(access)];
    expect(access.session(one.cookie, [other.page, one.page])).toBe(enter(access, one));
    expect(access.session(one.cookie, [other.page, third.page])).toBeNull();
    expect(access.session(one.cookie, [])).toBeNull();
  });

  it("is not kept from ending by a cookie alone", () => {
    const { access, time } = at();
    const parts = sessionOf(access);
    time.now += 11 * HOUR;
    expect(enter(access, { ...parts, page: "" })).toBeNull();
    expect(access.sessionOfFile(parts.cookie, "/mail/em_1", "x")).toBeNull();
    time.now += HOUR;
    expect(enter(access, parts)).toBeNull();
  });
});

describe("the ticket of a file", () => {
  function withTicket(path: string) {
    const { access, time } = at();
    const parts = sessionOf(access);
    const session = enter(access, parts);
    if (session === null) throw new Error("there is no session");
    return { access, time, parts, session, ticket: access.ticketFor(session, path) };
  }

  it("opens this file, with the cookie, for as long as the session", () => {
    const { access, time, parts, session, ticket } = withTicket("/mail/em_1");
    expect(access.sessionOfFile(parts.cookie, "/mail/em_1", ticket)).toBe(session);
    time.now += 11 * HOUR;
    expect(access.sessionOfFile(parts.cookie, "/mail/em_1", ticket)).toBe(session);
    time.now += 12 * HOUR;
    expect(access.sessionOfFile(parts.cookie, "/mail/em_1", ticket)).toBeNull();
  });

  it("opens no other file, nothing without the cookie, nothing with the cookie of another session, and no operation", () => {
    const { access, parts, ticket } = withTicket("/mail/em_1");
    expect(access.sessionOfFile(parts.cookie, "/mail/em_2", ticket)).toBeNull();
    expect(access.sessionOfFile("", "/mail/em_1", ticket)).toBeNull();
    expect(access.sessionOfFile(sessionOf(access).cookie, "/mail/em_1", ticket)).toBeNull();
    expect(enter(access, { cookie: parts.cookie, page: ticket })).toBeNull();
    for (const wrong of ["", "x", `${ticket}x`, parts.page, parts.cookie]) {
      expect(access.sessionOfFile(parts.cookie, "/mail/em_1", wrong)).toBeNull();
    }
  });
});
