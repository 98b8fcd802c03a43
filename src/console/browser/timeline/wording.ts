import type { ClockMove } from "../../../features/history/actions.js";
import { formatMoney } from "../../../kernel/money.js";
import { MOVE_WORDS } from "../../../sandbox/timeline/words.js";
import { duration } from "../words/time.js";
import { answerOf, type Group, type Item } from "./model.js";

/** What the items of a timeline say, in English and Portuguese. Pure functions. */

export type Language = "en" | "pt-BR";

type Moves = { readonly [Kind in keyof typeof MOVE_WORDS]: Readonly<Record<keyof (typeof MOVE_WORDS)[Kind], string>> };

/** The words for each move of each state machine. The English ones are those of the service. */
const MOVES_PT: Moves = {
  transition: {
    create: "criada",
    finalise: "o adquirente emitiu os códigos",
    send_back: "chegou um pagamento que ela não aceita, e ele voltou",
    settle: "paga",
    approve: "o pagamento com cartão foi aprovado",
    hold: "paga, mas o banco não informou o pagador: o dinheiro fica retido para análise",
    challenge: "o emissor do cartão pede autenticação",
    return: "o dinheiro voltou para o pagador",
    fail: "recusada pelo provedor",
    decline: "o emissor do cartão recusou",
    expire: "expirou sem pagamento",
    abandon: "expirou: o cartão não foi autenticado",
    cancel: "cancelada pelo lojista",
    refund: "devolvida por inteiro",
    dispute: "contestada",
    charge_back: "estornada pelo emissor (chargeback)",
    keep: "a contestação terminou: paga",
    keep_card: "a contestação terminou: aprovada",
  },
  refund: {
    create: "devolução solicitada",
    start: "devolução a caminho",
    complete: "devolução concluída",
    fail: "devolução falhou",
  },
  payout: { create: "saque solicitado", pay: "saque pago", fail: "saque falhou" },
  med_case: {
    create: "caso MED aberto",
    request_evidence: "o banco pede provas",
    add_evidence: "provas anexadas",
    appeal: "o lojista contesta o caso",
    accept: "o lojista aceita a perda",
    uphold: "o banco confirma a reclamação",
    uphold_unanswered: "o banco confirma a reclamação antes de uma resposta",
    decide_for_merchant: "o banco decide a favor do lojista",
    close_without_refund: "o banco encerra o caso sem devolução",
    withdraw: "o pagador retira a reclamação",
  },
};

const CLOCK: Readonly<Record<Language, Readonly<Record<ClockMove, string>>>> = {
  en: {
    advance: "the clock was advanced",
    freeze: "the clock was stopped",
    resume: "the clock runs again",
    restore: "a snapshot was restored, with its clock",
  },
  "pt-BR": {
    advance: "o relógio foi adiantado",
    freeze: "o relógio foi parado",
    resume: "o relógio voltou a andar",
    restore: "um snapshot foi restaurado, com o seu relógio",
  },
};

const GROUP_WORDS: Readonly<Record<Language, Readonly<Record<Group, string>>>> = {
  en: {
    requests: "Requests",
    state: "State",
    money: "Money",
    events: "Events",
    deliveries: "Deliveries",
    mail: "Mail",
    med: "MED",
    clock: "Clock",
  },
  "pt-BR": {
    requests: "Requisições",
    state: "Estado",
    money: "Dinheiro",
    events: "Eventos",
    deliveries: "Entregas",
    mail: "E-mails",
    med: "MED",
    clock: "Relógio",
  },
};

export function groupWord(group: Group, language: Language): string {
  return GROUP_WORDS[language][group];
}

/** Kinds of objects whose moves have words. */
export type MovedKind = keyof Moves;

function wordIn(words: Readonly<Record<string, string>>, move: string): string | null {
  return Object.hasOwn(words, move) ? (words[move] ?? null) : null;
}

/** The words for a move; its name when nobody has words for it. */
export function moveWord(kind: MovedKind, move: string, language: Language): string {
  return wordIn((language === "en" ? MOVE_WORDS : MOVES_PT)[kind], move) ?? move;
}

/** Particulars behind the words for a move, such as the amount: the service writes them in English. */
const PARTICULARS_PT: readonly (readonly [RegExp, string])[] = [
  [/^(: .*), payable until (\S+ \S+ UTC)$/, "$1, a pagar até $2"],
  [/^ \(payer: (.*)\)$/, " (pagador: $1)"],
  [/^, done at once: /, ", concluída na hora: "],
];

function moveSentence({ text, data }: Item, words: MovedKind): string {
  const english = wordIn(MOVE_WORDS[words], String(data.move));
  const portuguese = wordIn(MOVES_PT[words], String(data.move));
  if (english === null || portuguese === null || !text.startsWith(english)) return text;
  const rest = text.slice(english.length);
  const [pattern, replacement] = PARTICULARS_PT.find(([form]) => form.test(rest)) ?? [];
  return portuguese + (pattern === undefined || replacement === undefined ? rest : rest.replace(pattern, replacement));
}

function isMoved(kind: string): kind is MovedKind {
  return Object.hasOwn(MOVES_PT, kind);
}

/** The entries of a journal in words: `available +R$ 19,60, world −R$ 19,90`. */
function entriesText(data: Item["data"]): string {
  const entries = (data.entries ?? []) as readonly { bucket: string; amount: number; currency: string }[];
  return entries
    .map(({ bucket, amount, currency }) => {
      const sign = amount < 0 ? "−" : "+";
      return `${bucket} ${sign}${formatMoney(Math.abs(amount), currency)}`;
    })
    .join(", ");
}

function attemptText(item: Item, language: Language): string {
  const { number, duration_ms: ms, error, chaos = [] } = item.data;
  const [attempt, within, none] =
    language === "en" ? ["attempt", "in", "no answer"] : ["tentativa", "em", "sem resposta"];
  const outcome = answerOf(item) ?? error ?? none;
  const kinds = (chaos as readonly string[]).join(", ");
  return `${attempt} ${String(number)}: ${String(outcome)} ${within} ${String(ms)} ms${kinds === "" ? "" : `, chaos: ${kinds}`}`;
}

function clockText({ text, data }: Item, language: Language): string {
  const words = wordIn(CLOCK[language], String(data.move));
  const [from, to] = [Date.parse(String(data.from)), Date.parse(String(data.to))];
  if (words === null) return text;
  if (Number.isNaN(to - from) || from === to) return words;
  const by = `${to < from ? "−" : "+"}${duration(to - from)}`;
  return `${words}: ${by}`;
}

/** What moved money: the kinds of journals. */
export const JOURNALS_PT: Readonly<Record<string, string>> = {
  settlement: "liquidação",
  release: "liberação",
  review_hold: "retenção para análise",
  review_return: "volta da análise",
  refund_reserve: "reserva da devolução",
  refund_confirm: "devolução concluída",
  refund_release: "reserva da devolução desfeita",
  payout_reserve: "reserva do saque",
  payout_confirm: "saque concluído",
  payout_release: "reserva do saque desfeita",
  med_hold: "bloqueio do MED",
  med_return: "bloqueio do MED desfeito",
  med_forfeit: "perda no MED",
};

const REQUEST_PT: readonly (readonly [string, string])[] = [
  [", the first answer again", ", a primeira resposta de novo"],
  ["→ the answer was cut off", "→ a resposta foi cortada"],
];

/** The sentence of an item. A text that this page does not know stays as the service wrote it. */
export function sentence(item: Item, language: Language): string {
  const { kind, text, data } = item;
  if (kind === "attempt") return attemptText(item, language);
  if (kind === "clock") return clockText(item, language);
  if (language === "en") return text;
  if (isMoved(kind)) return moveSentence(item, kind);
  if (kind === "journal")
    return `dinheiro (${wordIn(JOURNALS_PT, String(data.kind)) ?? String(data.kind)}): ${entriesText(data)}`;
  if (kind === "delivery") return text.replace(" to http", " para http").replace(/, again: (\w+)$/, ", de novo: $1");
  if (kind === "email") return text.replace(/^e-mail to /, "e-mail para ");
  return kind === "request" ? REQUEST_PT.reduce((known, [from, to]) => known.replace(from, to), text) : text;
}

const CAUSES_PT: readonly (readonly [RegExp, string])[] = [
  [/^request (\d+) \((.*)\)$/, "requisição $1 ($2)"],
  [/^page (.*) \(request (\d+)\)$/, "página $1 (requisição $2)"],
  [/^command (.*) \(request (\d+)\)$/, "comando $1 (requisição $2)"],
  [/^console \(request (\d+)\)$/, "console (requisição $1)"],
  [/^command (.*)$/, "comando $1"],
  [/^due work (.*)$/, "trabalho agendado $1"],
  [/^the service itself$/, "o próprio serviço"],
  [/^a client$/, "um cliente"],
];

/** The cause of an item in words. */
export function causeSentence(cause: string, language: Language): string {
  if (language === "en") return cause;
  const [pattern, replacement] = CAUSES_PT.find(([form]) => form.test(cause)) ?? [];
  return pattern === undefined || replacement === undefined ? cause : cause.replace(pattern, replacement);
}
