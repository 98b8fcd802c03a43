import { afterEach, describe, expect, it } from "vitest";
import { settingsOf } from "../../../src/programs/cli/commands/serve/settings-of-flags.js";
import type { Io } from "../../../src/programs/cli/terminal/io.js";
import { instantText } from "../../../src/programs/cli/terminal/moment.js";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import type { Loose } from "../../support/emulator.js";
import { ownEmulator, sharedCli, sharedEmulator } from "../../support/shared.js";

/** Days, times and lengths of time in the command line, as people write them where they are. */

const ZONE = process.env.TZ;
afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

/** What this machine takes for the present. */
const NOW = Date.parse("2026-11-29T02:00:00Z");
const START = { at: "start", exclusive: false } as const;
const END = { at: "end", exclusive: false } as const;

describe("a day without a time is the whole day where the person is", () => {
  it.each([
    ["America/Sao_Paulo", "2026-11-23", "2026-11-23T03:00:00.000Z", "2026-11-24T02:59:59.999Z"],
    ["UTC", "2026-11-23", "2026-11-23T00:00:00.000Z", "2026-11-23T23:59:59.999Z"],
    ["Pacific/Kiritimati", "2026-11-23", "2026-11-22T10:00:00.000Z", "2026-11-23T09:59:59.999Z"],
    ["America/Sao_Paulo", "2026-12-31", "2026-12-31T03:00:00.000Z", "2027-01-01T02:59:59.999Z"],
    // The clock goes forward in the night of 29 March and back in that of 25 October.
    ["Europe/Lisbon", "2026-03-29", "2026-03-29T00:00:00.000Z", "2026-03-29T22:59:59.999Z"],
    ["Europe/Lisbon", "2026-10-25", "2026-10-24T23:00:00.000Z", "2026-10-25T23:59:59.999Z"],
    // In São Paulo this day began at one o'clock: there was no midnight.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", "2018-11-05T01:59:59.999Z"],
  ])("in %s, %s is from %s to %s", (zone, day, start, end) => {
    process.env.TZ = zone;
    expect([instantText(day, { bound: START, now: NOW }), instantText(day, { bound: END, now: NOW })]).toEqual([
      start,
      end,
    ]);
  });

  it("in UTC with --utc", () => {
    process.env.TZ = "America/Sao_Paulo";
    expect(instantText("2026-11-23", { bound: END, utc: true, now: NOW })).toBe("2026-11-23T23:59:59.999Z");
  });

  it("the day itself is within a range whose bounds do not belong to it", () => {
    process.env.TZ = "UTC";
    const exclusive = (at: "start" | "end") => instantText("2026-11-23", { bound: { at, exclusive: true }, now: NOW });
    expect([exclusive("start"), exclusive("end")]).toEqual(["2026-11-22T23:59:59.999Z", "2026-11-24T00:00:00.000Z"]);
  });
});

describe("a time", () => {
  it.each([
    ["2026-11-23T10:15", "2026-11-23T13:15:00.000Z"],
    ["2026-11-23 10:15:30", "2026-11-23T13:15:30.000Z"],
    ["2026-11-23T10:15:30.5", "2026-11-23T13:15:30.500Z"],
    ["2026-11-23T10:15:00-05:00", "2026-11-23T10:15:00-05:00"],
    ["2026-11-23 10:15:30Z", "2026-11-23T10:15:30Z"],
  ])("%s without a zone is local, and with one stays", (text, instant) => {
    process.env.TZ = "America/Sao_Paulo";
    expect(instantText(text, { now: NOW })).toBe(instant);
  });

  it.each([
    ["23/11/2026", "2026-11-23"],
    ["3/1/2026", "2026-01-03"],
    // In São Paulo it is still the 28th, in UTC the 29th.
    ["28/11", "2026-11-28"],
    ["29/11", "2025-11-29"],
    ["1/12", "2025-12-01"],
    ["29/02", "2024-02-29"],
    ["today", "2026-11-28"],
    ["Hoje", "2026-11-28"],
    ["yesterday", "2026-11-27"],
    ["ontem", "2026-11-27"],
    ["28/11/2026 14:05", "2026-11-28T14:05"],
    ["28/11/2026 14:05:09", "2026-11-28T14:05:09"],
    ["ontem 08:30", "2026-11-27T08:30"],
  ])("%s is %s where the person is", (text, written) => {
    process.env.TZ = "America/Sao_Paulo";
    for (const bound of [START, END]) {
      const instant = instantText(text, { bound, now: NOW });
      expect([typeof instant, instant]).toEqual(["string", instantText(written, { bound, now: NOW })]);
    }
  });

  it.each([
    ["today", "2026-11-29"],
    ["ontem", "2026-11-28"],
    ["29/11", "2026-11-29"],
    ["30/11", "2025-11-30"],
  ])("%s is %s with --utc", (text, day) => {
    process.env.TZ = "America/Sao_Paulo";
    expect(instantText(text, { utc: true, now: NOW })).toBe(`${day}T00:00:00.000Z`);
  });

  it("29 February without its year is found behind a century without one", () => {
    const now = Date.parse("2103-12-31T12:00:00Z");
    expect(instantText("29/02", { utc: true, now })).toBe("2096-02-29T00:00:00.000Z");
  });

  it("yesterday is the whole day also where the clock leaps over its midnight", () => {
    process.env.TZ = "America/Sao_Paulo";
    const now = Date.parse("2018-11-05T15:00:00Z");
    expect([instantText("ontem", { bound: START, now }), instantText("ontem", { bound: END, now })]).toEqual([
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T01:59:59.999Z",
    ]);
  });

  it.each([
    "31/02/2026",
    "29/02/2025",
    "11/23/2026",
    "23-11-2026",
    "23/11/26",
    "31/11",
    "0/11",
    "tomorrow",
    "hojes",
    "28/11/2026 25:00",
  ])("%s is no day", (text) => {
    expect(instantText(text, { now: NOW })).toBeNull();
  });

  it.each(["2026-02-30", "2026-11-23T25:00", "2026-11-23T10:61", "", "1764000000", "2026-11"])("%s is none", (text) => {
    expect(instantText(text, { now: NOW })).toBeNull();
  });
});

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

/** The request of a command: its query and its body. */
async function sent(...words: readonly string[]): Promise<{ query: Record<string, string>; body: Loose }> {
  const { code, out, err } = await cli.run([...words, "--dry-run", "--json"]);
  if (code !== 0) throw new Error(err);
  const { url, body } = JSON.parse(out);
  return { query: Object.fromEntries(new URL(url).searchParams), body };
}

async function refused(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await cli.run(words);
  expect([code, out]).toEqual([2, ""]);
  return err;
}

describe("flags with an instant", () => {
  it("are these, each with the end of the day that it means", () => {
    const all = operations.flatMap(({ command, flags }) =>
      flags.flatMap(({ name, type, bound }) =>
        type !== "instant"
          ? []
          : `${command} --${name}: ${bound?.exclusive ? "outside the " : ""}${bound?.at ?? "start"}`,
      ),
    );
    expect(all).toEqual([
      "charges list --created-after: start",
      "charges list --created-before: end",
      "payments list --start-date: start",
      "payments list --end-date: end",
      "med list --created-after: outside the start",
      "med list --created-before: outside the end",
      "sandbox med list --created-after: outside the start",
      "sandbox med list --created-before: outside the end",
      "sandbox med open --response-deadline: end",
      "sandbox clock due --until: end",
      "sandbox clock advance --to: start",
      "sandbox payments --start-date: start",
      "sandbox payments --end-date: end",
    ]);
  });

  it("find the payments of a local day, which the table shows as that day", async () => {
    process.env.TZ = "America/Sao_Paulo";
    const own = await ownEmulator({ frozen: true, startAt: Date.parse("2026-11-24T01:30:00Z") });
    await own.charge();
    const env = { QA_PAY_BASE_URL: own.url, QA_PAY_API_KEY: own.key };
    const day = ["payments", "list", "--start-date", "2026-11-23", "--end-date", "2026-11-23"];
    const { out } = await cli.run([...day], { env });
    expect(out).toContain("2026-11-23 22:30:00");
    expect(JSON.parse((await cli.run([...day, "--utc", "--json"], { env })).out).data).toEqual([]);
  });

  it("in another form are refused before anything is sent, with the form to write", async () => {
    for (const words of [
      ["payments", "list", "--start-date"],
      ["med", "list", "--created-after"],
    ]) {
      expect(await refused(...words, "11/23/2026")).toContain(
        "takes a day such as 2026-11-23, 23/11/2026, 23/11, today or yesterday",
      );
    }
  });

  it("a day without its year, and a day by its name, are those of this machine", async () => {
    process.env.TZ = "America/Sao_Paulo";
    const day = async (text: string) => {
      const words = ["payments", "list", "--start-date", text, "--dry-run", "--json"];
      const { out } = await cli.run(words, { now: () => NOW });
      return new URL(JSON.parse(out).url).searchParams.get("startDate");
    };
    expect([await day("hoje"), await day("28/11"), await day("29/11")]).toEqual([
      "2026-11-28T03:00:00.000Z",
      "2026-11-28T03:00:00.000Z",
      "2025-11-29T03:00:00.000Z",
    ]);
  });

  it("null is no instant where a field may have none", async () => {
    const { body } = await sent("sandbox", "med", "open", "ch_1", "--response-deadline", "null");
    expect(body.response_deadline).toBeNull();
  });
});

describe("a list with times says in its heading which zone it shows", () => {
  it.each([
    ["America/Sao_Paulo", [], "Created (UTC-3) "],
    ["Asia/Kolkata", [], "Created (UTC+5:30) "],
    ["Europe/Lisbon", [], "Created (UTC+0/+1) "],
    ["UTC", [], "Created (UTC) "],
    ["America/Sao_Paulo", ["--utc"], "Created (UTC) "],
  ])("in %s %j it is %s", async (zone, flags, told) => {
    process.env.TZ = zone;
    await emulator.charge();
    const { out } = await cli.run(["payments", "list", ...flags]);
    expect(`${out.split("\n")[0]} `).toContain(told);
    expect(out.match(/\(UTC/g)).toHaveLength(1);
  });

  it("and a list without times, or without rows, has none", async () => {
    expect((await cli.run(["wallets", "list"])).out).not.toContain("UTC");
    expect((await cli.run(["med", "list"])).out).toBe("");
  });
});

describe("numbers of seconds and milliseconds", () => {
  it("are these", () => {
    const all = operations.flatMap(({ command, flags }) =>
      flags.flatMap(({ name, unit }) => (unit === undefined ? [] : `${command} --${name}: ${unit}`)),
    );
    expect(all).toEqual([
      "charges create --expires-in: s",
      "pix charges create --expires-in: s",
      "sandbox clock advance --seconds: s",
      "sandbox faults add --effect-latency-ms: ms",
      "sandbox faults add --effect-retry-after: s",
      "sandbox chaos --delay-ms: ms",
      "sandbox endpoints test --timeout-seconds: s",
      "sandbox requests --within-seconds: s",
    ]);
  });

  it("may be written as lengths of time, and as numbers as before", async () => {
    for (const [given, seconds] of [
      ["10m", 600],
      ["90", 90],
      ["1d", 86_400],
      ["1.5h", 5_400],
    ]) {
      const { body } = await sent("charges", "create", "--amount", "100", "--expires-in", String(given));
      expect([given, body.expires_in]).toEqual([given, seconds]);
    }
    expect((await sent("sandbox", "chaos", "--delay-ms", "2s")).body.delay_ms).toBe(2_000);
    expect((await sent("sandbox", "clock", "advance", "--seconds", "500ms")).body).toEqual({ seconds: 0.5 });
  });

  it("in another form are refused, with the form to write", async () => {
    const create = ["charges", "create", "--amount", "100", "--expires-in"];
    expect(await refused(...create, "10 minutes")).toContain(
      "--expires-in takes seconds or a duration such as 90s, 10m, 2h or 1d, not 10 minutes.",
    );
    expect(await refused(...create, "1500ms")).toContain("--expires-in takes whole seconds, and 1500ms is 1.5.");
  });
});

describe("what is meant stands behind the command", () => {
  it.each([
    ["30m", { seconds: 1_800 }],
    ["0s", { seconds: 0 }],
    ["0", { seconds: 0 }],
    ["next", { to: "next" }],
    ["2027-01-01T00:00:00Z", { to: "2027-01-01T00:00:00Z" }],
    ["2027-01-01", { to: "2027-01-01T03:00:00.000Z" }],
  ])("sandbox clock advance %s", async (word, body) => {
    process.env.TZ = "America/Sao_Paulo";
    expect((await sent("sandbox", "clock", "advance", word)).body).toEqual(body);
    expect((await sent("sandbox", "clock", "advance", "--to", word)).body).toEqual(body);
  });

  it("moves the clock", async () => {
    const before = (await emulator.sandbox("/clock")).now;
    const { code } = await cli.run(["sandbox", "clock", "advance", "1d"]);
    const after = (await emulator.sandbox("/clock")).now;
    expect([code, Date.parse(after) - Date.parse(before)]).toEqual([0, 86_400_000]);
  });

  it.each([
    [["30"], "A duration has a unit: 30s, 30m, 30h or 30d."],
    [["soon"], "<to> takes a duration such as 30m, next, a day such as"],
    [["30m", "--seconds", "60"], "Give either <to> or --seconds."],
    [["30m", "--to", "next"], "contradict each other"],
    [[], "--seconds or <to> is required"],
  ])("sandbox clock advance %j is refused", async (words, told) => {
    expect(await refused("sandbox", "clock", "advance", ...words)).toContain(told);
  });

  it("sandbox med open takes the charge", async () => {
    const id = `ch_${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`;
    expect((await sent("sandbox", "med", "open", id)).body).toEqual({ charge_id: id });
    expect((await sent("sandbox", "med", "open", "--charge-id", id)).body).toEqual({ charge_id: id });
  });

  it("a field with one possible value has its flag", async () => {
    const create = ["charges", "create", "--amount", "100"];
    expect((await sent(...create, "--payment-method", "pix")).body).toEqual((await sent(...create)).body);
    const other = await cli.run([...create, "--payment-method", "card"]);
    expect([other.code, other.err]).toEqual([5, expect.stringContaining("payment_method")]);
    for (const { command, constants, flags } of operations) {
      const names = flags.filter(({ required }) => !required).map(({ field }) => field);
      expect([command, names]).toEqual([command, expect.arrayContaining(Object.keys(constants))]);
    }
  });
});

describe("commands of this machine", () => {
  it("serve begins its clock at a local day, or at one of UTC with --utc", () => {
    process.env.TZ = "America/Sao_Paulo";
    const io = { cwd: cli.folder, env: {}, now: () => NOW } as Io;
    const begin = (utc: boolean) => {
      const flags = { port: "0", host: "127.0.0.1", db: ":memory:", startAt: "2026-11-23", utc };
      return new Date(settingsOf(io, flags as never).startAt ?? 0).toISOString();
    };
    expect([begin(false), begin(true)]).toEqual(["2026-11-23T03:00:00.000Z", "2026-11-23T00:00:00.000Z"]);
    const wrong = { port: "0", host: "127.0.0.1", db: ":memory:", startAt: "31/11/2026" };
    expect(() => settingsOf(io, wrong as never)).toThrow("--start-at takes an instant");
  });

  it("webhooks verify reads --now so, too", async () => {
    const verify = ["webhooks", "verify", "--secret", "s", "--signature", "t=1,v1=00", "--now"];
    expect(await refused(...verify, "31/11/2026")).toContain("--now takes a day such as");
    expect((await cli.run([...verify, "2026-11-23 10:15"], { input: "{}" })).code).toBe(1);
  });
});
