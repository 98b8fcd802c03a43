import { describe, expect, it } from "vitest";
import { createConsoleAccess } from "../../src/console/access.js";
import { createRandom, realTime } from "../../src/runtime.js";

/** Links and sessions of the console, with a real time that stands still until a test moves it. */

const HOUR = 3_600_000;

function at(start = 1_000_000) {
  const time = { now: start };
  return { time, access: createConsoleAccess(createRandom(), { ...realTime, epoch: () => time.now }) };
}

function sessionOf(access: ReturnType<typeof createConsoleAccess>): string {
  const secret = access.open(access.token);
  if (secret === null) throw new Error("the link of the start opens nothing");
  return secret;
}

describe("a link", () => {
  it("of the start works again and again, and keeps no earlier session from going on", () => {
    const { access, time } = at();
    const first = sessionOf(access);
    time.now += 11 * HOUR;
    const second = sessionOf(access);
    expect(second).not.toBe(first);
    expect([access.session(first), access.session(second)]).not.toContain(null);
  });

  it("that was asked for works once", () => {
    const { access } = at();
    const { token } = access.newLink();
    expect(access.open(token)).not.toBeNull();
    expect(access.open(token)).toBeNull();
  });

  it("that was asked for works until its minute is over", () => {
    const { access, time } = at();
    const [inTime, late] = [access.newLink(), access.newLink()];
    expect(inTime.expiresAt).toBe(time.now + 60_000);
    time.now += 59_999;
    expect(access.open(inTime.token)).not.toBeNull();
    time.now += 1;
    expect(access.open(late.token)).toBeNull();
  });

  it("opens nothing with another token, or with none", () => {
    const { access } = at();
    const { token } = access.newLink();
    for (const wrong of ["", "x", `${token}x`, token.slice(0, -1), token.toLowerCase()]) {
      expect(access.open(wrong)).toBeNull();
    }
    expect(access.open(token)).not.toBeNull();
  });

  it("of another start opens nothing", () => {
    expect(at().access.open(at().access.token)).toBeNull();
  });

  it("makes room for newer ones when very many wait", () => {
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
    expect(access.session(used)).not.toBeNull();
    time.now += 1;
    expect(access.session(idle)).toBeNull();
    time.now += 11 * HOUR;
    expect(access.session(used)).not.toBeNull();
  });

  it("is kept by an open page that only listens", () => {
    const { access, time } = at();
    const secret = sessionOf(access);
    const session = access.session(secret);
    if (session === null) throw new Error("there is no session");
    for (let hours = 0; hours < 36; hours += 6) {
      time.now += 6 * HOUR;
      expect(access.isOpen(session)).toBe(true);
    }
    time.now += 12 * HOUR;
    expect(access.isOpen(session)).toBe(false);
    expect(access.session(secret)).toBeNull();
  });

  it("ends when it is ended, and no other one", () => {
    const { access } = at();
    const [one, other] = [sessionOf(access), sessionOf(access)];
    const session = access.session(one);
    if (session === null) throw new Error("there is no session");
    access.end(session);
    expect(access.session(one)).toBeNull();
    expect(access.isOpen(session)).toBe(false);
    expect(access.session(other)).not.toBeNull();
  });

  it("makes room for the hundred and first: the one that was unused longest ends", () => {
    const { access } = at();
    const secrets = Array.from({ length: 100 }, () => sessionOf(access));
    const [first = "", second = ""] = secrets;
    access.session(first);
    const last = sessionOf(access);
    expect(access.session(second)).toBeNull();
    expect(access.session(first)).not.toBeNull();
    expect(access.session(last)).not.toBeNull();
  });

  it("is not opened by a text that is no secret of a session", () => {
    const { access } = at();
    sessionOf(access);
    for (const wrong of ["", access.token, "__proto__"]) expect(access.session(wrong)).toBeNull();
  });
});
