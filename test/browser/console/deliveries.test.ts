import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { hmac } from "../../support/webhooks.js";

const HOSTILE = "</pre><script>alert(1)</script>";

describeInBrowser("the deliveries in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true, maxAttempts: 2 });
  const open = sharedConsole(executablePath, emulator);
  const receiver = sharedReceiver();
  let endpoint: Loose;

  const deliveries = async (query = ""): Promise<Loose[]> =>
    (await emulator.sandbox(`/webhooks/deliveries?limit=100${query}`)).data;

  /** A new charge whose one delivery gets this answer. */
  async function delivered(reply: { status: number; body?: string }): Promise<Loose> {
    const count = receiver.received.length;
    receiver.replies.push(reply);
    const charge = await emulator.charge();
    await receiver.waitFor(count + 1);
    await expect.poll(async () => (await deliveries(`&subject=${charge.id}`))[0]?.attempts).toBe(1);
    return (await deliveries(`&subject=${charge.id}`))[0];
  }

  test("without an endpoint there is a receiver to copy, and then a row for the first delivery", async () => {
    const page = await open.open("/console/webhooks", { language: "pt-BR", width: 360 });
    await page.getByText("createServer(async (request, response)").waitFor();
    await page.getByText("qa-pay serve --forward-to http://127.0.0.1:3000/webhooks").waitFor();
    const answer = await emulator.call("POST", "/v1/webhooks/endpoints", {
      body: { url: receiver.url, events: ["charge.created"] },
    });
    endpoint = answer.body;
    await delivered({ status: 204 });
    const card = page.locator("tbody tr", { has: page.locator("a.row") }).first();
    await card.waitFor();
    // Several deliveries of one event are told apart by their receivers, and events by their amounts.
    await expect.poll(() => card.innerText()).toMatch(/R\$\s19,90/);
    await expect.poll(() => card.innerText()).toContain(`:${new URL(receiver.url).port}/`);
  });

  test("a failed attempt shows the request as sent, the answer as text, and how the next wait came about", async () => {
    const { id } = await delivered({ status: 500, body: HOSTILE });
    const page = await open.open(`/console/webhooks/${id}`, { scheme: "dark" });
    await page.locator(".verdict", { hasText: "The receiver failed: it answered 500." }).waitFor();
    await page.locator(".problem", { hasText: `Your receiver said: ${HOSTILE}` }).waitFor();
    // The page reads the settings, from which the wait follows, besides the delivery.
    await page.locator("main", { hasText: "10 s × 2^(1 − 1)" }).waitFor();
    const sent = receiver.received.at(-1);
    const text = () => page.locator("main").innerText();
    await expect.poll(text).toContain(`x-qa-signature: ${sent?.headers["x-qa-signature"]}`);
    await expect.poll(text).toContain('"type": "charge.created"');
    await page.getByRole("group", { name: "Body" }).getByRole("button", { name: "Raw" }).click();
    await expect.poll(text).toContain(sent?.raw);
    await expect.poll(text).toContain("10 s × 2^(1 − 1)");
    await expect.poll(text).not.toContain(endpoint.secret);
  });

  test("the whole list is seen in a window of 1280 pixels, while deliveries wait for their next attempt", async () => {
    await delivered({ status: 500 });
    const page = await open.open("/console/webhooks", { language: "pt-BR" });
    await page.getByTitle("Próxima tentativa").first().waitFor();
    const frame = page.locator("main .table-frame");
    await expect.poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("a row of the list links to the object that its delivery is about", async () => {
    const { id, subject } = await delivered({ status: 204 });
    const page = await open.open("/console/webhooks");
    const link = page
      .locator("tbody tr", { has: page.locator(`a.row[href*="${id}"]`) })
      .locator('a[href*="/console/go/"]');
    await expect.poll(() => link.getAttribute("href")).toBe(`/console/go/${subject}`);
  });

  test("the next attempt stands once, and runs at once; a menu has the jump to it, or the reason why there is none", async () => {
    const { id, nextRetryAt } = await delivered({ status: 500 });
    const page = await open.open(`/console/webhooks/${id}`);
    await page.getByText("Attempt 2 of 2 in 10 s").waitFor();
    await page.locator(".verdict.t-trouble-warn").waitFor();
    await expect.poll(() => page.locator("main").getByText("10 s", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Run now" }).click();
    await page.locator("header.page-head .status", { hasText: "Delivered" }).waitFor();
    expect((await emulator.sandbox("/clock")).now).toBe(nextRetryAt);
    await expect.poll(() => page.getByRole("button", { name: "Run now" }).count()).toBe(0);
    await page.getByRole("button", { name: "More actions" }).click();
    const jump = page.getByRole("menuitem", { name: "Jump to the next attempt" });
    await expect.poll(() => jump.getAttribute("aria-disabled")).toBe("true");
    // The reason is for everybody, not for those alone who have a mouse.
    await jump.getByText("No attempt is scheduled: the status is Delivered").waitFor();
    await expectAccessible(page);
    await jump.click({ force: true });
    await expect.poll(() => jump.isVisible()).toBe(true);
    expect((await emulator.sandbox("/clock")).now).toBe(nextRetryAt);
  });

  test("Resend makes a new delivery for the endpoint, or for another address, and stays where it is", async () => {
    const { id, payload } = await delivered({ status: 204 });
    const count = receiver.received.length;
    for (const width of [1280, 360]) {
      const page = await open.open(`/console/webhooks/${id}`, { width });
      const resend = page.getByRole("button", { name: "Resend", exact: true });
      const before = await resend.boundingBox();
      receiver.replies.push({ status: 202 });
      await resend.click();
      await page.locator(".verdict output .status-good", { hasText: /^ ?202 in \d+ ms$/ }).waitFor();
      expect(receiver.received.at(-1)?.body).toEqual(payload);
      expect(await resend.boundingBox(), String(width)).toEqual(before);
    }
    await receiver.waitFor(count + 2);
    const page = await open.open(`/console/webhooks/${id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Resend to another URL" }).click();
    await page.getByRole("dialog").getByLabel("URL").fill(receiver.url.replace("/webhooks", "/other"));
    await page.getByRole("dialog").getByRole("button", { name: "Resend to another URL" }).click();
    await receiver.waitFor(count + 3);
    expect(receiver.received.at(-1)?.path).toBe("/other");
    await page.locator(".verdict output .status-good").waitFor();
  });

  test("a row is a card of two lines on a phone, at most 84 pixels high", async () => {
    const { id } = await delivered({ status: 500 });
    for (const language of ["en", "pt-BR"] as const) {
      const page = await open.open("/console/webhooks", { width: 360, language });
      const row = page.locator("tbody tr", { has: page.locator(`a.row[href*="${id}"]`) });
      await expect.poll(() => row.innerText()).toMatch(/^charge\.created\s+500\s+1\/2\s+R\$\s19,90\s+:\d+\/webhooks/);
      await expect.poll(async () => (await row.boundingBox())?.height ?? 1_000).toBeLessThanOrEqual(84);
      // All of the card leads to the delivery, also where its amount stands.
      await row.getByText("R$").click({ force: true });
      await page.locator("h1", { hasText: "charge.created" }).waitFor();
      expect(page.url()).toContain(id);
    }
  });

  test("a signature is checked with the secret, and curl is signed anew so that the receiver takes it", async () => {
    const { id } = await delivered({ status: 204 });
    const page = await open.open(`/console/webhooks/${id}`);
    await page.getByRole("link", { name: "Signature" }).click();
    await page.getByRole("button", { name: "Check with the endpoint's secret" }).click();
    await page.getByText("Right: signed with the endpoint's current secret.").waitFor();
    const count = receiver.received.length;
    await page.getByRole("button", { name: "curl with a fresh signature" }).click();
    await page.getByText("Signed now").waitFor();
    const line = await page.locator("figure.code", { hasText: "curl -i" }).locator("pre").innerText();
    expect(line).not.toContain(endpoint.secret);
    const [, t, v1] = /x-qa-signature: t=(\d+),v1=([0-9a-f]{64})/.exec(line) ?? [];
    const words = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" }).split("\0");
    const body = words[words.indexOf("--data-raw") + 1] ?? "";
    expect(v1).toBe(hmac(endpoint.secret, `${t}.${body}`));
    expect(receiver.received).toHaveLength(count);
    await emulator.call("POST", `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`);
    await page.reload();
    await page.getByRole("button", { name: "Check with the endpoint's secret" }).click();
    await page.getByText("Not signed with the endpoint's current secret").waitFor();
    await expectAccessible(page);
  });

  test("a signature that was spoilt on purpose is named, and no mistake of the receiver", async () => {
    await emulator.sandbox("/webhooks/chaos", { corrupt_signature: 1 });
    const { id } = await delivered({ status: 400 });
    await emulator.sandbox("/webhooks/chaos", { corrupt_signature: 0 });
    const page = await open.open(`/console/webhooks/${id}`);
    await page.getByText("(wrong signature)").waitFor();
    await page.getByText("The emulator signed this one wrongly on purpose.").waitFor();
    await page.getByText("on purpose: wrong signature", { exact: true }).waitFor();
  });

  test("a refused signature is explained: the mistake, both signatures, the first byte that differs and the right check", async () => {
    await delivered({ status: 204 });
    const { id } = await delivered({ status: 401, body: '{"error":"bad signature"}' });
    const { secret } = (await emulator.call("POST", `/_sandbox/webhooks/endpoints/${endpoint.id}/reveal`)).body;
    // A receiver that leaves the timestamp out of what it verifies.
    receiver.respond = ({ headers, raw }) => {
      const v1 = /v1=(\w+)/.exec(String(headers["x-qa-signature"]))?.[1];
      return { status: v1 === hmac(secret, raw) ? 200 : 401 };
    };
    const page = await open.open(`/console/webhooks/${id}`, { scheme: "dark" });
    await page.getByText('Your receiver said: {"error":"bad signature"}').waitFor();
    await page.getByRole("button", { name: "Find the mistake" }).click();
    const bench = page.locator(".bench-box");
    await bench.getByText("It leaves the timestamp out of what is signed.").waitFor();
    await bench.getByText(/differ from byte 1: “1” sent, “\{” expected\./).waitFor();
    await expect.poll(() => bench.locator("mark").allInnerTexts()).toEqual(["1", "{"]);
    const [sent, expected] = await bench.locator("h3 + code").allInnerTexts();
    expect(sent).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(expected).not.toBe(sent);
    await bench.getByRole("button", { name: "Python" }).click();
    await bench.getByText("hmac.compare_digest").waitFor();
    await expectAccessible(page);
    receiver.respond = null;
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    await page.locator(".verdict output .status-good", { hasText: "204 in" }).waitFor();
  });

  test("a failed delivery stands beside the last one of its endpoint that arrived, with the headers that differ", async () => {
    receiver.replies.push({ status: 204, headers: { server: "shop/1" } });
    const good = (await emulator.charge()).id;
    await expect.poll(async () => (await deliveries(`&subject=${good}`))[0]?.status).toBe("DELIVERED");
    receiver.replies.push({ status: 500, headers: { server: "shop/2" } });
    const charge = await emulator.charge();
    await expect.poll(async () => (await deliveries(`&subject=${charge.id}`))[0]?.attempts).toBe(1);
    const { id } = (await deliveries(`&subject=${charge.id}`))[0];
    const page = await open.open(`/console/webhooks/${id}`);
    const table = page.getByRole("table", { name: "Compared with the last one that arrived" });
    await expect.poll(() => table.getByRole("row", { name: "Answer" }).innerText()).toMatch(/Answer\s+500\s+204/);
    await expect.poll(() => table.getByRole("row", { name: "server" }).innerText()).toMatch(/shop\/2\s+shop\/1/);
    const link = table.getByRole("link").first();
    await expect.poll(() => link.getAttribute("href")).toContain((await deliveries(`&subject=${good}`))[0].id);
  });

  test("old addresses lead to the delivery, the event, the list with its filters and the check of a receiver", async () => {
    const { id, subject } = await delivered({ status: 204 });
    const { data } = await emulator.sandbox(`/events?subject=${subject}&type=charge.created`);
    const page = await open.open("/console/webhooks");
    const leads = async (from: string, to: string, shown: string) => {
      await page.goto(emulator.url + from);
      await expect.poll(() => page.url().replace(emulator.url, "")).toBe(to);
      await page.locator("main", { hasText: shown }).waitFor();
    };
    await leads(`/console/deliveries/${id}?attempt=1`, `/console/webhooks/${id}?attempt=1`, "Attempt 1");
    await leads("/console/deliveries?status=FAILED", "/console/webhooks?status=FAILED", "Failed");
    await leads(`/console/events/${data[0].id}`, `/console/webhooks/${data[0].id}`, "Other format");
    await leads("/console/events?type=charge.paid", "/console/webhooks?view=event&type=charge.paid", "By event");
    await leads("/console/receiver", "/console/endpoints?view=check", "Is my receiver ready?");
    await page.goBack();
    await expect.poll(() => page.url()).toContain("view=event");
  });

  test("all FAILED deliveries of an endpoint are sent again, each event once", async () => {
    // What earlier tests left arrives first.
    await emulator.sandbox("/clock/advance", { seconds: 600 });
    const { id } = await delivered({ status: 500 });
    receiver.respond = () => ({ status: 500 });
    await emulator.sandbox("/clock/advance", { seconds: 600 });
    await expect.poll(async () => (await emulator.sandbox(`/webhooks/deliveries/${id}`)).status).toBe("FAILED");
    receiver.respond = null;
    const failed = (await deliveries("&status=FAILED")).length;
    const page = await open.open(`/console/webhooks?endpoint=${endpoint.id}&status=FAILED`);
    const count = receiver.received.length;
    await page.getByRole("button", { name: "Resend all failed" }).click();
    await receiver.waitFor(count + failed);
    await expect.poll(async () => (await deliveries("&status=PENDING")).length).toBe(0);
    await page.getByText("resent.").waitFor();
    await page.getByRole("button", { name: "Resend all failed" }).click();
    await page.getByText("Nothing to resend").waitFor();
    expect(receiver.received).toHaveLength(count + failed);
  });

  test("an event shows its envelope in both formats and its deliveries", async () => {
    const { subject, id } = await delivered({ status: 204 });
    const { data } = await emulator.sandbox(`/events?subject=${subject}&type=charge.created`);
    const page = await open.open(`/console/webhooks/${data[0].id}`);
    await page.getByRole("link", { name: "payment.created", exact: true }).last().waitFor();
    await page.locator(`main a[href*="${id}"]`).first().waitFor();
    await expect.poll(() => page.locator("main").innerText()).toContain("transactionId");
    await page.locator(`.page-head .line a[title*="${subject}"]`, { hasText: /R\$\s19,90/ }).waitFor();
    await page.getByRole("link", { name: "Webhooks" }).nth(1).click();
    await expect.poll(() => page.url()).toContain("view=event");
    expect(open.errors).toEqual([]);
  });
});

describeInBrowser("a delivery that was tried often", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  test("says what to do in the first screen, shows each attempt by its number, and a vain resend in red", async () => {
    const body = { url: "http://127.0.0.1:9/hook", events: ["charge.created"] };
    await emulator.call("POST", "/v1/webhooks/endpoints", { body });
    await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 10 * 86_400 });
    const failed = async (): Promise<Loose> => (await emulator.sandbox("/webhooks/deliveries?status=FAILED")).data[0];
    await expect.poll(async () => (await failed())?.attempts).toBe(15);
    const page = await open.open(`/console/webhooks/${(await failed()).id}`);
    const todo = page.getByText("Nothing is listening at 127.0.0.1:9");
    const bottom = async () => {
      const box = await todo.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    await expect.poll(bottom).toBeLessThan(900);
    await page.locator(".verdict.t-trouble:not(.t-trouble-warn)").waitFor();
    const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("link");
    await expect.poll(() => attempts.count()).toBe(15);
    await attempts.nth(2).click();
    await page.locator("main", { hasText: "10 s × 2^(3 − 1)" }).waitFor();
    await expect.poll(() => attempts.nth(2).getAttribute("aria-current")).toBe("true");
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    const outcome = page.locator(".verdict output", { hasText: "Refused again: nothing is listening at 127.0.0.1:9." });
    await outcome.waitFor();
    const colour = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(() => colour(".verdict output.outcome")).toBe(await colour(".attempts .status-bad"));
    // The number in the menu leads to what it counts, and to nothing else.
    await page.locator("nav.menu a", { hasText: "Webhooks" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?status=FAILED");
    await expect
      .poll(() => page.locator("tbody tr").allInnerTexts())
      .toEqual([expect.stringMatching(/refused\s+15\/15/)]);
    const list = await open.open("/console/webhooks", { language: "pt-BR" });
    await list.locator("tbody .status", { hasText: "recusada" }).first().waitFor();
    const frame = list.locator("main .table-frame");
    await expect.poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(open.errors).toEqual([]);
  });
});
