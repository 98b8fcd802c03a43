import type { MenuName } from "../shell/menu.js";

/** Other words by which people look for a page, in both languages: nobody must know its name here. */
export const ALSO: Readonly<Partial<Record<MenuName, readonly string[]>>> = {
  connect: ["env", "secret", "setup", "install", "receiver", "variable", "segredo", "instalar", "conectar", "variavel"],
  charges: ["pay", "payment", "pix", "order", "invoice", "boleto", "card", "pagar", "pagamento", "pedido", "cobrar"],
  refunds: ["money back", "return", "reembolso", "estorno", "devolver"],
  payouts: ["withdrawal", "transfer", "saque", "transferencia"],
  med: ["dispute", "chargeback", "claim", "contestacao", "disputa"],
  wallets: ["balance", "ledger", "money", "journal", "saldo", "dinheiro", "razao"],
  webhooks: ["delivery", "deliveries", "event", "hook", "retry", "entrega", "evento", "reenviar"],
  endpoints: ["url", "check", "signature", "subscribe", "endereco", "assinatura"],
  requests: ["log", "api", "error", "call", "erro", "chamada"],
  clock: ["time", "advance", "day", "tomorrow", "due", "hora", "tempo", "amanha", "avancar"],
  faults: ["chaos", "fail", "slow", "timeout", "latency", "caos", "lento"],
  scenarios: ["trigger", "fixture", "record", "roteiro", "gravar", "teste", "test"],
  accounts: ["key", "api key", "token", "user", "password", "chave", "usuario", "senha"],
  settings: ["theme", "dark", "language", "flag", "version", "tema", "escuro", "idioma", "opcoes", "versao"],
};
