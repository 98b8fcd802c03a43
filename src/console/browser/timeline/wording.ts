import { ITEM_TEXTS, type MOVE_TEXTS } from "../../../features/timeline/texts.js";
import { fill, type MoneyEntry, piecesOf } from "../../../kernel/message.js";
import { formatMoney } from "../../../kernel/money.js";
import { type AttemptFailure, attemptError } from "../words/attempt-errors.js";
import { codeNameIn } from "../words/codes.js";
import { type Language, perLanguage } from "../words/per-language.js";
import { serviceText, type TextTable } from "../words/service-text.js";
import { duration, shortTime } from "../words/time.js";
import type { Group, Item } from "./model.js";

/** What the items of a timeline say, in English and Portuguese. Pure functions. */

const itemTexts = perLanguage<TextTable<Item["code"]>>(null, {
  "request.answered": "{method} {path} → {status}[ {error}]",
  "request.answered_again": "{method} {path} → {status}[ {error}], a primeira resposta de novo",
  "request.cut": "{method} {path} → a resposta foi cortada[ {error}]",
  "request.cut_again": "{method} {path} → a resposta foi cortada[ {error}], a primeira resposta de novo",
  "request.not_logged": "{route}",
  "transition.create": "criada[: {amount:money}, a pagar até {expires_at:time}]",
  "transition.finalise": "o adquirente emitiu os códigos",
  "transition.send_back": "chegou um pagamento que ela não aceita, e ele voltou[: {amount:money}]",
  "transition.send_back_too_large":
    "chegou um pagamento que ela não aceita, e ele voltou[: {amount:money}], porque as somas da conta ficariam grandes demais",
  "transition.settle": "paga[ (pagador: {payer})]",
  "transition.approve": "o pagamento com cartão foi aprovado[ (pagador: {payer})]",
  "transition.hold": "paga, mas o banco não informou o pagador: o dinheiro fica retido para análise",
  "transition.challenge": "o emissor do cartão pede autenticação",
  "transition.return": "o dinheiro voltou para o pagador[ (pagador: {payer})]",
  "transition.fail": "recusada pelo provedor",
  "transition.decline": "o emissor do cartão recusou",
  "transition.expire": "expirou sem pagamento",
  "transition.abandon": "expirou: o cartão não foi autenticado",
  "transition.cancel": "cancelada pelo lojista",
  "transition.refund": "devolvida por inteiro",
  "transition.dispute": "contestada",
  "transition.charge_back": "estornada pelo emissor (chargeback)",
  "transition.keep": "a contestação terminou: paga",
  "transition.keep_card": "a contestação terminou: aprovada",
  "refund.create": "devolução solicitada[: {amount:money}]",
  "refund.create_done": "devolução solicitada, concluída na hora: {amount:money}",
  "refund.start": "devolução a caminho",
  "refund.complete": "devolução concluída",
  "refund.fail": "devolução falhou[: {reason}]",
  "payout.create": "saque solicitado[: {amount:money}]",
  "payout.pay": "saque pago",
  "payout.fail": "saque falhou[: {reason}]",
  "med_case.create": "caso MED aberto[: {amount:money}]",
  "med_case.request_evidence": "o banco pede provas",
  "med_case.add_evidence": "provas anexadas",
  "med_case.appeal": "o lojista contesta o caso",
  "med_case.accept": "o lojista aceita a perda",
  "med_case.uphold": "o banco confirma a reclamação",
  "med_case.uphold_unanswered": "o banco confirma a reclamação antes de uma resposta",
  "med_case.decide_for_merchant": "o banco decide a favor do lojista",
  "med_case.close_without_refund": "o banco encerra o caso sem devolução",
  "med_case.withdraw": "o pagador retira a reclamação",
  "clock.advance": "o relógio foi adiantado",
  "clock.freeze": "o relógio foi parado",
  "clock.resume": "o relógio voltou a andar",
  "clock.restore": "um snapshot foi restaurado, com o seu relógio",
  "journal.settlement": "dinheiro (liquidação): {entries:entries}",
  "journal.release": "dinheiro (liberação): {entries:entries}",
  "journal.review_hold": "dinheiro (retenção para análise): {entries:entries}",
  "journal.review_return": "dinheiro (volta da análise): {entries:entries}",
  "journal.refund_reserve": "dinheiro (reserva da devolução): {entries:entries}",
  "journal.refund_confirm": "dinheiro (devolução concluída): {entries:entries}",
  "journal.refund_release": "dinheiro (reserva da devolução desfeita): {entries:entries}",
  "journal.payout_reserve": "dinheiro (reserva do saque): {entries:entries}",
  "journal.payout_confirm": "dinheiro (saque concluído): {entries:entries}",
  "journal.payout_release": "dinheiro (reserva do saque desfeita): {entries:entries}",
  "journal.med_hold": "dinheiro (bloqueio do MED): {entries:entries}",
  "journal.med_return": "dinheiro (bloqueio do MED desfeito): {entries:entries}",
  "journal.med_forfeit": "dinheiro (perda no MED): {entries:entries}",
  event: "{type}",
  "delivery.first": "{type} para {url}: {status}",
  "delivery.again": "{type} para {url}, de novo: {status}",
  "attempt.answered": "tentativa {number}: {status} em {ms} ms[, chaos: {chaos:list}]",
  "attempt.unanswered": "tentativa {number}: {error} em {ms} ms[, chaos: {chaos:list}]",
  email: "e-mail para {recipient}: {subject}",
});

const causeTexts = perLanguage<TextTable<Item["cause_code"]>>(null, {
  request: "requisição {number} ({route})",
  page: "página {path} (requisição {number})",
  command: "comando {command}[ (requisição {number})]",
  console: "console[ (requisição {number})]",
  work: "trabalho agendado {kind}",
  service: "o próprio serviço",
  client: "um cliente",
  caller: "{name}",
});

const groupWords = perLanguage<Readonly<Record<Group, string>>>(
  {
    requests: "Requests",
    state: "State",
    money: "Money",
    events: "Events",
    deliveries: "Deliveries",
    mail: "Mail",
    med: "MED",
    clock: "Clock",
  },
  {
    requests: "Requisições",
    state: "Estado",
    money: "Dinheiro",
    events: "Eventos",
    deliveries: "Entregas",
    mail: "E-mails",
    med: "MED",
    clock: "Relógio",
  },
);

export function groupWord(group: Group, language: Language): string {
  return groupWords(language)[group];
}

type MoveCode = keyof typeof MOVE_TEXTS;
/** Kinds of objects whose moves have words. */
export type MovedKind = MoveCode extends `${infer Kind}.${string}` ? Exclude<Kind, "clock"> : never;

/** The words for a move, without particulars; its name when nobody has words for it. */
export function moveWord(kind: MovedKind, move: string, language: Language): string {
  const texts: Readonly<Record<string, string>> = itemTexts(language) ?? ITEM_TEXTS;
  const template = texts[`${kind}.${move}`];
  return template === undefined ? move : fill(template, {});
}

/** Why an attempt failed. */
export function failureOf({ data }: Item): AttemptFailure {
  return data as AttemptFailure;
}

/** The sentence about an attempt in pieces; that with the name `error` may be in the words of a network. */
export function attemptPieces({ code, params }: Item, language: Language): ReturnType<typeof piecesOf> {
  // The answer stands beside the sentence.
  return piecesOf((itemTexts(language) ?? ITEM_TEXTS)[code], { ...params, answer: null });
}

function attemptText(item: Item, language: Language): string {
  return attemptPieces(item, language)
    .map(({ name, text }) => (name === "error" ? attemptError(failureOf(item), language) : text))
    .join("");
}

/** What a journal moved: from where to where when there are two places, else what each of them got or gave. */
function entriesText(entries: readonly MoneyEntry[], language: Language): string {
  const name = ({ bucket }: MoneyEntry) => codeNameIn(language, bucket);
  const money = ({ amount, currency }: MoneyEntry) => formatMoney(Math.abs(amount), currency);
  const [from, to, ...others] = [...entries].sort((a, b) => a.amount - b.amount);
  if (from === undefined || to === undefined || others.length > 0 || from.amount + to.amount !== 0) {
    return entries.map((one) => `${name(one)} ${one.amount < 0 ? "−" : "+"}${money(one)}`).join(", ");
  }
  return `${money(to)}, ${name(from)} → ${name(to)}`;
}

function journalText({ code, params }: Item, language: Language): string {
  const entries = params.entries as readonly MoneyEntry[];
  return piecesOf((itemTexts(language) ?? ITEM_TEXTS)[code], params)
    .map(({ name, text }) => (name === "entries" ? entriesText(entries, language) : text))
    .join("");
}

/** How far the clock went, in place of the instants. */
function clockText({ code, data }: Item, language: Language): string {
  const words = fill((itemTexts(language) ?? ITEM_TEXTS)[code], {});
  const by = Date.parse(String(data.to)) - Date.parse(String(data.from));
  if (Number.isNaN(by) || by === 0) return words;
  return `${words}: ${by < 0 ? "−" : "+"}${duration(by)}`;
}

/** The instant is in the time zone of the reader, as all others of the page: the text of the service has it in UTC. */
const createdText = perLanguage(
  "created[: {amount:money}, payable until {expires_at}]",
  "criada[: {amount:money}, a pagar até {expires_at}]",
);

function created({ params }: Item, language: Language): string {
  const at = params.expires_at;
  const local = typeof at === "string" && !Number.isNaN(Date.parse(at)) ? shortTime(Date.parse(at), language) : at;
  return fill(createdText(language), { ...params, expires_at: local ?? null });
}

/** The sentence of an item. */
export function sentence(item: Item, language: Language): string {
  if (item.kind === "attempt") return attemptText(item, language);
  if (item.kind === "journal") return journalText(item, language);
  if (item.code === "transition.create") return created(item, language);
  return item.kind === "clock" ? clockText(item, language) : serviceText(itemTexts(language), item);
}

/** The cause of an item in words. */
export function causeSentence({ cause, cause_code, cause_params }: Item, language: Language): string {
  return serviceText(causeTexts(language), { code: cause_code, params: cause_params, text: cause });
}
