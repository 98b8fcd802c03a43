/**
 * Makes the payments of a seeded database, oldest first. Each has the state that it has reached at the time `until`.
 * The same seed gives the same payments, because this module does not use the real clock or real random numbers.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SAO_PAULO = 3 * HOUR;

/** A repeatable random number generator (mulberry32), with the interface that the emulator expects. */
export function createChance(seed) {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const hex = (bytes) => {
    let text = "";
    while (text.length < bytes * 2) text += word().toString(16).padStart(8, "0");
    return text.slice(0, bytes * 2);
  };
  return {
    fraction: () => word() / 2 ** 32,
    hex,
    bytes: (count) => Buffer.from(hex(count), "hex"),
    token: (count) => Buffer.from(hex(count), "hex").toString("base64url"),
    alphanumeric: (length) => hex(Math.ceil(length / 2)).slice(0, length),
  };
}

/** The kinds of payments: their share in percent, the range of amounts (smallest unit), and the usual time to pay. */
const KINDS = [
  { share: 55, methods: ["PIX"], currency: "BRL", from: 500, to: 90_000, pays: 40_000 },
  { share: 10, methods: ["PIX", "BOLETO"], currency: "BRL", from: 5_000, to: 400_000, pays: 5 * HOUR },
  { share: 12, methods: ["CREDIT_CARD"], currency: "BRL", from: 2_000, to: 250_000, pays: 25_000 },
  { share: 5, methods: ["BOLETO"], currency: "BRL", from: 5_000, to: 600_000, pays: 18 * HOUR },
  { share: 6, methods: ["MBWAY"], currency: "EUR", from: 300, to: 20_000, pays: 30_000 },
  { share: 4, methods: ["MULTIBANCO"], currency: "EUR", from: 1_000, to: 80_000, pays: 8 * HOUR },
  { share: 4, methods: ["CREDIT_CARD"], currency: "USD", from: 900, to: 60_000, pays: 25_000 },
  { share: 3, methods: ["CRYPTO"], currency: "USDT", from: 5_000_000, to: 900_000_000, pays: 4 * MINUTE },
  { share: 1, methods: ["CRYPTO"], currency: "BTC", from: 20_000, to: 4_000_000, pays: 15 * MINUTE },
];

/** The fates of payments, with their share in percent. A fate that a kind of payment cannot have becomes `pay`. */
const FATES = [
  { share: 66, fate: "pay" },
  { share: 20, fate: "leave" },
  { share: 5, fate: "fail" },
  { share: 4, fate: "cancel" },
  { share: 2, fate: "refund" },
  { share: 1, fate: "refund a part" },
  { share: 1, fate: "return" },
  { share: 1, fate: "review" },
];

const FEE_BPS = { provider: 99, platform: 50 };
const FIRST_NAMES = ["Ana", "Bruno", "Carla", "Diego", "Elisa", "Fábio", "Gabriela", "Heitor", "Inês", "João"];
const LAST_NAMES = ["Almeida", "Barbosa", "Cardoso", "Duarte", "Esteves", "Ferreira", "Gonçalves", "Lima", "Moraes"];

function drawer(options) {
  const deck = options.flatMap((option) => Array(option.share).fill(option));
  return (chance) => deck[Math.floor(chance.fraction() * deck.length)];
}

const drawKind = drawer(KINDS);
const drawFate = drawer(FATES);
const between = (chance, low, high) => low + Math.floor(chance.fraction() * (high - low + 1));
const oneOf = (chance, values) => values[Math.floor(chance.fraction() * values.length)];
const saoPauloDay = (at) => Math.floor((at - SAO_PAULO) / DAY);

/** A random delay in milliseconds with a log-normal distribution: near `usual`, sometimes many times as long. */
function delay(chance, usual) {
  const normal = Math.sqrt(-2 * Math.log(1 - chance.fraction())) * Math.cos(2 * Math.PI * chance.fraction());
  return Math.max(1_000, Math.round(usual * Math.exp(normal)));
}

function idAt(chance, at, counter) {
  const time = at.toString(16).padStart(12, "0");
  const tail = chance.hex(8);
  const variant = "89ab"[Number.parseInt(tail[0], 16) & 3];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

function cpf(chance) {
  let digits = String(between(chance, 100_000_000, 999_999_999));
  for (const cycle of [10, 11]) {
    const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (cycle - place), 0);
    digits += ((sum * 10) % 11) % 10;
  }
  return digits;
}

const endToEnd = (chance, kind, at) =>
  `${kind}99999010${new Date(at).toISOString().replace(/\D/g, "").slice(0, 12)}${chance.alphanumeric(11)}`;

const LIFETIMES = { PIX: HOUR, CREDIT_CARD: HOUR, MBWAY: 4 * MINUTE, MULTIBANCO: 7 * DAY, CRYPTO: HOUR };

/** The expiry time of a payment. A boleto expires at the end of the third day in São Paulo. */
function expiryOf(methods, at) {
  return methods.includes("BOLETO")
    ? (saoPauloDay(at) + 4) * DAY + SAO_PAULO - 1
    : at + Math.max(...methods.map((method) => LIFETIMES[method]));
}

function newRow(chance, kind, bookId, at, id) {
  const expiresAt = expiryOf(kind.methods, at);
  const named = chance.fraction() < 0.5;
  const name = named ? `${oneOf(chance, FIRST_NAMES)} ${oneOf(chance, LAST_NAMES)}` : null;
  const document = named && kind.currency === "BRL" ? cpf(chance) : null;
  return {
    id,
    book_id: bookId,
    status: "WAITING_PAYMENT",
    amount: between(chance, kind.from, kind.to),
    currency: kind.currency,
    payment_methods: `,${kind.methods.join(",")},`,
    customer_name: name,
    customer_document: document,
    customer_email: named ? `cliente${between(chance, 1, 99_999)}@loja.example` : null,
    customer_tax_id: document,
    expected_payer_tax_id: null,
    metadata: `{"order":"${between(chance, 100_000, 999_999)}"}`,
    expires_in: Math.ceil((expiresAt - at) / 1_000),
    expires_at: expiresAt,
    txid: chance.hex(16),
    checkout_token: chance.token(18),
    provider_reference: `prv_${id}`,
    failure: null,
    held_at: null,
    paid_with: null,
    paid_at: null,
    end_to_end_id: null,
    return_id: null,
    payer_name: null,
    payer_document: null,
    provider_fee: 0,
    platform_fee: 0,
    refunded_amount: 0,
    created_at: at,
    updated_at: at,
    day: saoPauloDay(at),
  };
}

/** A new request is the cause of the moves that follow. */
function asked(life, route) {
  life.requests += 1;
  return { text: `request POST ${route}`, request: life.requests, parent: null };
}

/** Due work is the cause of the moves that follow. The move before them made it due, or the first one of all. */
const worked = (kind, parent) => ({ text: `work ${kind}`, request: null, parent });

/** Adds a move of the payment to the history, and returns its place there. */
function move(life, name, to, at, cause) {
  const from = life.moves.length === 0 ? null : life.row.status;
  life.row.status = to;
  return life.moves.push({ noun: "transaction", subject: life.row.id, name, from, to, at, cause }) - 1;
}

function moveRefund(life, name, [from, to], at, cause) {
  return life.moves.push({ noun: "refund", subject: life.refund.id, name, from, to, at, cause }) - 1;
}

function end(life, name, status, reason, at, cause, providerErrorCode = null) {
  const { row } = life;
  move(life, name, status, at, cause);
  row.failure = JSON.stringify({ reason, providerErrorCode, ttlSeconds: row.expires_in, at: new Date(at) });
  row.updated_at = at;
}

/** An unpaid payment: it has expired, or it will expire later. */
function leave(life, until) {
  const { expires_at: at } = life.row;
  if (at > until) life.expiryDue = true;
  else end(life, "expire", "EXPIRED", "expired_unpaid", at, worked("transaction.expire", 0));
}

/** Adds a journal. `from` is the place of the move that it comes from. */
const post = (life, from, kind, entries) => {
  const { subject: reference, at } = life.moves[from];
  life.journals.push({ kind, reference, at, from, entries });
};

const PAY = "/_sandbox/charges/{id}/pay";

function pay(chance, life, kind, at) {
  const { row } = life;
  const method = oneOf(chance, kind.methods.length > 1 && at > row.created_at + HOUR ? ["BOLETO"] : kind.methods);
  const providerFee = Math.round((row.amount * FEE_BPS.provider) / 10_000);
  const platformFee = Math.round((row.amount * FEE_BPS.platform) / 10_000);
  const card = method === "CREDIT_CARD";
  const settled = move(life, card ? "approve" : "settle", card ? "APPROVED" : "PAID", at, asked(life, PAY));
  Object.assign(row, {
    paid_with: method,
    paid_at: at,
    end_to_end_id: method === "PIX" ? endToEnd(chance, "E", at) : null,
    payer_name: row.customer_name ?? "Pagador de Teste",
    payer_document: row.customer_tax_id ?? "12345678909",
    provider_fee: providerFee,
    platform_fee: platformFee,
    updated_at: at,
  });
  life.secondsToPay = Number(Math.round((at - row.created_at) / 1_000).toPrecision(2));
  post(life, settled, "settlement", [
    ["world", -row.amount],
    ["provider_fees", providerFee],
    ["platform_fees", platformFee],
    ["available", row.amount - providerFee - platformFee],
  ]);
}

function addRefund(chance, life, at, amount, fields) {
  const { row } = life;
  const id = idAt(chance, at, 0);
  life.refund = {
    id,
    transaction_id: row.id,
    amount,
    currency: row.currency,
    status: "REFUNDED",
    created_at: at,
    updated_at: at,
    ...fields,
  };
}

function refund(chance, life, at, amount) {
  const { row } = life;
  const isPix = row.paid_with === "PIX";
  addRefund(chance, life, at, amount, {
    reason: "requested_by_customer",
    strategy: isPix ? "devolution" : null,
    end_to_end_id: isPix ? endToEnd(chance, "D", at) : null,
  });
  row.refunded_amount = amount;
  row.updated_at = at;
  const created = moveRefund(life, "create", [null, "PENDING"], at, asked(life, "/v1/payments/{id}/refund"));
  const started = moveRefund(life, "start", ["PENDING", "IN_PROGRESS"], at, worked("refund.advance", created));
  const cause = worked("refund.advance", started);
  const completed = moveRefund(life, "complete", ["IN_PROGRESS", "REFUNDED"], at, cause);
  if (amount === row.amount) move(life, "refund", "REFUNDED", at, cause);
  post(life, created, "refund_reserve", [
    ["available", -amount],
    ["clearing", amount],
  ]);
  post(life, completed, "refund_confirm", [
    ["clearing", -amount],
    ["world", amount],
  ]);
}

/** A payment by another person than the expected payer: the money was returned and never credited. */
function giveBack(chance, life, at) {
  const { row } = life;
  const returnId = endToEnd(chance, "D", at);
  addRefund(chance, life, at, row.amount, {
    reason: "payer_document_mismatch",
    strategy: "devolution",
    end_to_end_id: returnId,
  });
  const payer = { payer_name: "Outra Pessoa", payer_document: "12345678909" };
  const cause = asked(life, PAY);
  move(life, "return", "REFUNDED", at, cause);
  moveRefund(life, "create", [null, "REFUNDED"], at, cause);
  Object.assign(row, payer, { return_id: returnId, updated_at: at });
}

/** A payment without a known payer: the money is held for a manual decision. */
function review(life, at) {
  const { row } = life;
  const held = move(life, "hold", "PROCESSING", at, asked(life, PAY));
  Object.assign(row, { payer_name: "Pagador de Teste", held_at: at, paid_with: "PIX", updated_at: at });
  post(life, held, "review_hold", [
    ["world", -row.amount],
    ["review", row.amount],
  ]);
}

/** Moves a new payment through its states, up to the time `until`. */
function live(chance, life, kind, until) {
  const { row } = life;
  const { fate } = drawFate(chance);
  const at = row.created_at + delay(chance, kind.pays);
  const isCard = kind.methods[0] === "CREDIT_CARD";
  const isPix = kind.methods.length === 1 && kind.methods[0] === "PIX";
  const creation = asked(life, isPix ? "/v1/charges" : "/v1/payments");
  move(life, "create", row.status, row.created_at, creation);
  if (fate === "fail" && !isCard) {
    row.provider_reference = null;
    end(life, "fail", "REFUSED", "provider_failure", row.created_at, creation, "PROVIDER_DOWN");
    return;
  }
  if (fate === "leave" || at > until || at >= row.expires_at) return leave(life, until);
  if (fate === "fail") {
    const cause = asked(life, "/_sandbox/charges/{id}/fail");
    return end(life, "fail", "REFUSED", "card_declined", at, cause, "DECLINED");
  }
  if (fate === "cancel") {
    const cause = asked(life, "/v1/payments/{id}/cancel");
    return end(life, "cancel", "CANCELLED", "cancelled_by_merchant", at, cause);
  }
  if ((fate === "return" || fate === "review") && isPix) {
    row.expected_payer_tax_id = row.customer_tax_id ?? "52998224725";
    row.customer_name ??= "Cliente Esperado";
    return fate === "return" ? giveBack(chance, life, at) : review(life, at);
  }
  pay(chance, life, kind, at);
  const refundAt = at + delay(chance, 20 * HOUR);
  if (!fate.startsWith("refund") || !(isPix || isCard) || refundAt > until) return;
  refund(chance, life, refundAt, fate === "refund" ? row.amount : Math.ceil(row.amount / 3));
}

/**
 * Yields `count` payments, spread evenly over the `days` before `until` (milliseconds since the Unix epoch). Each is
 * `{row, moves, requests, journals: [{kind, reference, at, from, entries: [[bucket, amount]]}], refund, secondsToPay,
 * expiryDue}`. A move is `{noun, subject, name, from, to, at, cause: {text, request, parent}}`: `request` counts the
 * requests of this payment, and `parent`, like `from` of a journal, is the place of another move among its moves.
 */
export function* lives({ count, days, until, chance, bookId }) {
  const step = (days * DAY) / count;
  const start = until - days * DAY;
  let last = 0;
  let counter = 0;
  for (let number = 0; number < count; number++) {
    const at = Math.floor(start + (number + chance.fraction()) * step);
    counter = at === last ? counter + 1 : 0;
    last = at;
    const kind = drawKind(chance);
    const row = newRow(chance, kind, bookId, at, idAt(chance, at, counter));
    const life = { row, moves: [], requests: 0, journals: [], refund: null, secondsToPay: null, expiryDue: false };
    live(chance, life, kind, until);
    yield life;
  }
}
