import { expect, it } from "vitest";
import { testCli } from "../../support/cli.js";

/** Commands that are written without the noun in front of them, or under another one. */

const cli = testCli();

async function said(line: string): Promise<string> {
  const { code, err } = await cli.run(line.split(" "));
  expect(code).toBe(2);
  return err.split("\n")[0] ?? "";
}

it.each([
  ["refund", "payments refund"],
  ["refund tx_1 --amount 500", "payments refund"],
  ["find maria", "payments find or sandbox search"],
  ["search maria", "payments find or sandbox search"],
  ["pay ch_1", "sandbox pay or sandbox payouts pay"],
  ["expire ch_1", "sandbox expire"],
  ["advance 10m", "sandbox refunds advance or sandbox clock advance"],
  ["timeline ch_1", "sandbox timeline"],
  ["clock", "sandbox clock"],
  ["chaos off", "sandbox chaos"],
  ["balance", "wallets balance"],
  ["appeal med_1", "med appeal"],
  ["verify", "webhooks verify"],
  ["stats", "payments stats or webhooks stats"],
  ["resend", "sandbox deliveries resend"],
  ["REFUND", "payments refund"],
  ["charges pay ch_1", "sandbox pay or sandbox payouts pay"],
  ["charges refund ch_1", "payments refund"],
  ["payments timeline tx_1", "sandbox timeline"],
  ["sandbox refund tx_1", "payments refund"],
  ["reembolso 8005", "payments refund"],
  ["ESTORNO", "payments refund"],
  ["buscar maria", "payments find"],
  ["pagar ch_1", "sandbox pay or sandbox payouts pay"],
  ["med recorrer", "med appeal"],
  ["saldo", "wallets balance"],
  ["snapshot", "sandbox snapshots"],
  ["restaurar", "sandbox snapshots restore"],
  ["por que 8005", "why"],
  ["vendas", "payments stats"],
  ["planilha", "payments list --excel"],
])("qa-pay %s: did you mean %s?", async (line, meant) => {
  expect(await said(line)).toMatch(new RegExp(`^Error: Unknown command '\\w+'; did you mean ${meant}\\?$`));
});

it.each([
  ["chargs list", "charges"],
  ["payments lst", "list"],
  ["webhook stats", "webhooks"],
  ["devoluções 8005", "payments refunds or sandbox refunds"],
  ["contestação", "med list"],
  ["cobranças", "charges"],
])("qa-pay %s, which is misspelt: did you mean %s?", async (line, meant) => {
  expect(await said(line)).toContain(`; did you mean ${meant}?`);
});

it.each(["nonsense", "list", "create"])("qa-pay %s, which could mean anything, names none", async (line) => {
  expect(await said(line)).toBe(`Error: Unknown command '${line}'.`);
});
