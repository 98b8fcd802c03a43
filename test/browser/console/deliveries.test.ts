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
    const page = await open.open("/console/deliveries", { language: "pt-BR", width: 360 });
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
    await expect.poll(() => card.innerText()).toContain(receiver.url);
  });

  test("a failed attempt shows the request as sent, the answer as text, and how the next wait came about", async () => {
    const { id } = await delivered({ status: 500, body: HOSTILE });
    const page = await open.open(`/console/deliveries/${id}`, { scheme: "dark" });
    await page.locator(".page-head", { hasText: "The receiver failed: it answered 500." }).waitFor();
    await page.locator(".problem", { hasText: `Answer: ${HOSTILE}` }).waitFor();
    // The page reads the settings, from which the wait follows, besides the delivery.
    await page.locator("main", { hasText: "10 s × 2^(1 − 1)" }).waitFor();
    const sent = receiver.received.at(-1);
    const text = () => page.locator("main").innerText();
    await expect.poll(text).toContain(`x-qa-signature: ${sent?.headers["x-qa-signature"]}`);
    await expect.poll(text).toContain('"type": "charge.created"');
    await page.getByRole("group", { name: "Body" }).getByRole("button", { name: "As sent" }).click();
    await expect.poll(text).toContain(sent?.raw);
    await expect.poll(text).toContain("10 s × 2^(1 − 1)");
    await expect.poll(text).not.toContain(endpoint.secret);
  });

  test("the whole list is seen in a window of 1280 pixels, while deliveries wait for their next attempt", async () => {
    await delivered({ status: 500 });
    const page = await open.open("/console/deliveries", { language: "pt-BR" });
    await page.getByText("próxima em").first().waitFor();
    const frame = page.locator("main .table-frame");
    await expect.poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("a row of the list links to the object that its delivery is about", async () => {
    const { id, subject } = await delivered({ status: 204 });
    const page = await open.open("/console/deliveries");
    const link = page
      .locator("tbody tr", { has: page.locator(`a.row[href*="${id}"]`) })
      .locator('a[href*="/console/go/"]');
    await expect.poll(() => link.getAttribute("href")).toBe(`/console/go/${subject}`);
  });

  test("Jump moves the clock exactly to the next attempt", async () => {
    const { id, nextRetryAt } = await delivered({ status: 500 });
    const page = await open.open(`/console/deliveries/${id}`);
    await page.getByRole("button", { name: "Jump" }).click();
    await page.locator("header.page-head .status", { hasText: "Delivered" }).waitFor();
    expect((await emulator.sandbox("/clock")).now).toBe(nextRetryAt);
    const jump = page.getByRole("button", { name: "Jump" });
    await expect.poll(() => jump.getAttribute("aria-disabled")).toBe("true");
    await expect.poll(() => jump.getAttribute("title")).toContain("Delivered");
    // The reason is for everybody who comes to the button, not for those alone who have a mouse.
    const reason = page.locator(".reason", { hasText: "No attempt is planned in the state Delivered" });
    await page.locator("main h1").focus();
    await expect.poll(() => reason.isVisible()).toBe(false);
    await jump.focus();
    await expect.poll(() => reason.isVisible()).toBe(true);
  });

  test("Resend makes a new delivery for the endpoint, or for another address", async () => {
    const { id, payload } = await delivered({ status: 204 });
    const count = receiver.received.length;
    const page = await open.open(`/console/deliveries/${id}`);
    receiver.replies.push({ status: 202 });
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    await receiver.waitFor(count + 1);
    expect(receiver.received.at(-1)?.body).toEqual(payload);
    await page.locator("output", { hasText: "Sent again:" }).locator(".status", { hasText: "202" }).waitFor();
    await page.getByRole("button", { name: "Resend to another URL" }).click();
    await page.getByRole("dialog").getByLabel("URL").fill(receiver.url.replace("/webhooks", "/other"));
    await page.getByRole("dialog").getByRole("button", { name: "Resend to another URL" }).click();
    await receiver.waitFor(count + 2);
    expect(receiver.received.at(-1)?.path).toBe("/other");
    await page.getByText("Sent again:").waitFor();
  });

  test("a signature is checked with the secret, and curl is signed anew so that the receiver takes it", async () => {
    const { id } = await delivered({ status: 204 });
    const page = await open.open(`/console/deliveries/${id}`);
    await page.getByRole("link", { name: "Signature" }).click();
    await page.getByRole("button", { name: "Check it with the secret" }).click();
    await page.getByText("The signature is right: it was made with the present secret of the endpoint.").waitFor();
    const count = receiver.received.length;
    await page.getByRole("link", { name: "Check it in your code" }).click();
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
    await page.getByRole("link", { name: "Signature" }).click();
    await page.getByRole("button", { name: "Check it with the secret" }).click();
    await page.getByText("did not make this signature").waitFor();
    await expectAccessible(page);
  });

  test("the effect of chaos on a signature is shown", async () => {
    await emulator.sandbox("/webhooks/chaos", { corrupt_signature: 1 });
    const { id } = await delivered({ status: 400 });
    await emulator.sandbox("/webhooks/chaos", { corrupt_signature: 0 });
    const page = await open.open(`/console/deliveries/${id}`);
    await page.getByText("Chaos forged this signature").waitFor();
    await page.getByText("signature forged", { exact: false }).first().waitFor();
  });

  test("all FAILED deliveries of an endpoint are sent again, each event once", async () => {
    const { id } = await delivered({ status: 500 });
    receiver.replies.push({ status: 500 }, { status: 500 });
    await emulator.sandbox("/clock/advance", { seconds: 600 });
    await expect.poll(async () => (await emulator.sandbox(`/webhooks/deliveries/${id}`)).status).toBe("FAILED");
    receiver.replies.length = 0;
    const failed = (await deliveries("&status=FAILED")).length;
    const page = await open.open(`/console/deliveries?endpoint=${endpoint.id}&status=FAILED`);
    const count = receiver.received.length;
    await page.getByRole("button", { name: "Resend all that failed" }).click();
    await receiver.waitFor(count + failed);
    await expect.poll(async () => (await deliveries("&status=PENDING")).length).toBe(0);
    await page.getByText("sent again.").waitFor();
    await page.getByRole("button", { name: "Resend all that failed" }).click();
    await page.getByText("Nothing to resend").waitFor();
    expect(receiver.received).toHaveLength(count + failed);
  });

  test("an event shows its envelope in both formats and its deliveries", async () => {
    const { subject, id } = await delivered({ status: 204 });
    const { data } = await emulator.sandbox(`/events?subject=${subject}&type=charge.created`);
    const page = await open.open(`/console/events/${data[0].id}`);
    await page.getByRole("link", { name: "payment.created", exact: true }).last().waitFor();
    await page.locator(`main a[href*="${id}"]`).first().waitFor();
    await expect.poll(() => page.locator("main").innerText()).toContain("transactionId");
    await page.locator(".fact-list").getByRole("link", { name: subject, exact: true }).waitFor();
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
    const page = await open.open(`/console/deliveries/${(await failed()).id}`);
    const todo = page.getByText("Nothing listens at 127.0.0.1:9");
    const bottom = async () => {
      const box = await todo.boundingBox();
      return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
    };
    await expect.poll(bottom).toBeLessThan(900);
    const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("link");
    await expect.poll(() => attempts.count()).toBe(15);
    await attempts.nth(2).click();
    await page.locator("main", { hasText: "10 s × 2^(3 − 1)" }).waitFor();
    await expect.poll(() => attempts.nth(2).getAttribute("aria-current")).toBe("true");
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    const outcome = page.locator("output", { hasText: "Sent again:" });
    await outcome.locator(".status", { hasText: "no answer" }).waitFor();
    const colour = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await expect.poll(() => colour("main output.outcome")).toBe(await colour("main .status-bad"));
    // The number in the menu leads to what it counts, and to nothing else.
    await page.locator("nav.menu a", { hasText: "Deliveries" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?status=FAILED");
    await expect.poll(() => page.locator("tbody td:first-child .status").allInnerTexts()).toEqual(["Failed"]);
    const list = await open.open("/console/deliveries", { language: "pt-BR" });
    await list.locator("tbody .status", { hasText: "sem resposta" }).first().waitFor();
    const frame = list.locator("main .table-frame");
    await expect.poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(open.errors).toEqual([]);
  });
});
