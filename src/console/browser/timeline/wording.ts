import type { ClockMove } from "../../../features/history/actions.js";
import { formatMoney } from "../../../kernel/money.js";
import { MOVE_WORDS } from "../../../sandbox/timeline/words.js";
import { attemptError } from "../words/attempt-errors.js";
import { type Language, perLanguage } from "../words/per-language.js";
import { duration } from "../words/time.js";
import { answerOf, type Group, type Item } from "./model.js";

/** What the items of a timeline say, in English and Portuguese. Pure functions. */

type Moves = { readonly [Kind in keyof typeof MOVE_WORDS]: Readonly<Record<keyof (typeof MOVE_WORDS)[Kind], string>> };

/** The words for each move of each state machine. The English ones are those of the service. */
const movesIn = perLanguage<Moves | null>(null, {
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
});

const clockWords = perLanguage<Readonly<Record<ClockMove, string>>>(
  {
    advance: "the clock was advanced",
    freeze: "the clock was stopped",
    resume: "the clock runs again",
    restore: "a snapshot was restored, with its clock",
  },
  {
    advance: "o relógio foi adiantado",
    freeze: "o relógio foi parado",
    resume: "o relógio voltou a andar",
    restore: "um snapshot foi restaurado, com o seu relógio",
  },
);

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

/** Kinds of objects whose moves have words. */
export type MovedKind = keyof Moves;

function wordIn(words: Readonly<Record<string, string>>, move: string): string | null {
  return Object.hasOwn(words, move) ? (words[move] ?? null) : null;
}

/** The words for a move; its name when nobody has words for it. */
export function moveWord(kind: MovedKind, move: string, language: Language): string {
  return wordIn((movesIn(language) ?? MOVE_WORDS)[kind], move) ?? move;
}

type Patterns = readonly (readonly [RegExp, string])[];

/** The text with the first pattern that fits replaced. */
function replaced(text: string, patterns: Patterns): string {
  const [pattern, replacement] = patterns.find(([form]) => form.test(text)) ?? [];
  return pattern === undefined || replacement === undefined ? text : text.replace(pattern, replacement);
}

/** Particulars behind the words for a move, such as the amount: the service writes them in English. */
const particularsIn = perLanguage<Patterns>(
  [],
  [
    [/^(: .*), payable until (\S+ \S+ UTC)$/, "$1, a pagar até $2"],
    [/^ \(payer: (.*)\)$/, " (pagador: $1)"],
    [/^, done at once: /, ", concluída na hora: "],
  ],
);

function moveSentence({ text, data }: Item, kind: MovedKind, language: Language): string {
  const english = wordIn(MOVE_WORDS[kind], String(data.move));
  if (english === null || !text.startsWith(english)) return text;
  return moveWord(kind, String(data.move), language) + replaced(text.slice(english.length), particularsIn(language));
}

function isMoved(kind: string): kind is MovedKind {
  return Object.hasOwn(MOVE_WORDS, kind);
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

const attemptWords = perLanguage(
  { attempt: "attempt", within: "in", none: "no answer" },
  { attempt: "tentativa", within: "em", none: "sem resposta" },
);

interface AttemptParts {
  readonly before: string;
  readonly outcome: string;
  /** `en` where the outcome is in the words of a network. */
  readonly lang: "en" | undefined;
  readonly after: string;
}

/** The sentence about an attempt in its parts. */
export function attemptParts(item: Item, language: Language): AttemptParts {
  const { number, duration_ms: ms, error, chaos = [] } = item.data;
  const { attempt, within, none } = attemptWords(language);
  const kinds = (chaos as readonly string[]).join(", ");
  const status = answerOf(item);
  const reason = status === null && typeof error === "string" ? error : null;
  const known = reason === null ? null : attemptError(reason, language);
  return {
    before: `${attempt} ${String(number)}: `,
    outcome: known ?? reason ?? String(status ?? none),
    lang: reason === null || known !== null ? undefined : "en",
    after: ` ${within} ${String(ms)} ms${kinds === "" ? "" : `, chaos: ${kinds}`}`,
  };
}

function attemptText(item: Item, language: Language): string {
  const { before, outcome, after } = attemptParts(item, language);
  return before + outcome + after;
}

function clockText({ text, data }: Item, language: Language): string {
  const words = wordIn(clockWords(language), String(data.move));
  const [from, to] = [Date.parse(String(data.from)), Date.parse(String(data.to))];
  if (words === null) return text;
  if (Number.isNaN(to - from) || from === to) return words;
  const by = `${to < from ? "−" : "+"}${duration(to - from)}`;
  return `${words}: ${by}`;
}

/** What moved money: the kinds of journals. */
export const journalWords = perLanguage<Readonly<Record<string, string>>>(
  {},
  {
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
  },
);

/** Parts of the sentences of other items, which begin with a name that stays as it is. */
const partsIn = perLanguage<Readonly<Partial<Record<Item["kind"], Patterns>>>>(
  {},
  {
    delivery: [
      [/ to http/, " para http"],
      [/, again: (\w+)$/, ", de novo: $1"],
    ],
    email: [[/^e-mail to /, "e-mail para "]],
    request: [
      [/, the first answer again/, ", a primeira resposta de novo"],
      [/→ the answer was cut off/, "→ a resposta foi cortada"],
    ],
  },
);

const moneyIn = perLanguage("money", "dinheiro");

/** The sentence of an item. A text that this page does not know stays as the service wrote it. */
export function sentence(item: Item, language: Language): string {
  const { kind, text, data } = item;
  if (kind === "attempt") return attemptText(item, language);
  if (kind === "clock") return clockText(item, language);
  if (language === "en") return text;
  if (isMoved(kind)) return moveSentence(item, kind, language);
  if (kind === "journal") {
    const name = String(data.kind);
    return `${moneyIn(language)} (${wordIn(journalWords(language), name) ?? name}): ${entriesText(data)}`;
  }
  return (partsIn(language)[kind] ?? []).reduce((known, [form, other]) => known.replace(form, other), text);
}

const causesIn = perLanguage<Patterns>(
  [],
  [
    [/^request (\d+) \((.*)\)$/, "requisição $1 ($2)"],
    [/^page (.*) \(request (\d+)\)$/, "página $1 (requisição $2)"],
    [/^command (.*) \(request (\d+)\)$/, "comando $1 (requisição $2)"],
    [/^console \(request (\d+)\)$/, "console (requisição $1)"],
    [/^command (.*)$/, "comando $1"],
    [/^due work (.*)$/, "trabalho agendado $1"],
    [/^the service itself$/, "o próprio serviço"],
    [/^a client$/, "um cliente"],
  ],
);

/** The cause of an item in words. */
export function causeSentence(cause: string, language: Language): string {
  return replaced(cause, causesIn(language));
}
