import type { OperationAnswer } from "../../../../client/types.js";
import { perLanguage } from "../../words/per-language.js";

/** What the check of a receiver sends and advises, in Portuguese. Its English is in the answer of the service. */

type Case = OperationAnswer<"sandbox.receivers.test">["cases"][number];
type AdviceCode = NonNullable<Case["advice_code"]>;

/** The texts of one case, by the codes of its advice. */
interface CaseTexts {
  readonly sends: string;
  readonly remedy?: string;
  readonly passed?: string;
  readonly accepted?: string;
  readonly refused?: string;
}

interface Texts {
  readonly of: Readonly<Record<string, CaseTexts>>;
  /** Advice that is the same for every case. What it says of a failure comes before the remedy of the case. */
  readonly advice: Readonly<
    Record<Exclude<AdviceCode, keyof CaseTexts>, (status: number, accepted: number, all: number) => string>
  >;
  readonly allRefused: string;
}

export const caseTexts = perLanguage<Texts | null>(null, {
  of: {
    "charge.created": {
      sends: "um charge.created, assinado",
      remedy:
        "Confira os bytes como chegaram, antes de interpretá-los. Use o segredo como texto; não o decodifique de hexadecimal.",
    },
    "charge.paid": {
      sends: "um charge.paid, assinado",
      remedy:
        "Confira os bytes como chegaram, antes de interpretá-los. Use o segredo como texto; não o decodifique de hexadecimal.",
    },
    "payment.completed": {
      sends: "um payment.completed legado, assinado com sha256=…",
      remedy:
        "Confira eventos legados por sha256=<hex>, um HMAC só do corpo; o nome deles está em `event`, e não em `type`.",
    },
    "med_case.created": {
      sends: "um med_case.created, assinado",
      remedy: "Eventos MED vêm no envelope e na assinatura canônicos: confira-os como um charge.* e responda 2xx.",
    },
    "payout.paid": {
      sends: "um payout.paid, assinado",
      remedy: "Eventos de saque vêm no envelope e na assinatura canônicos: confira-os como um charge.* e responda 2xx.",
    },
    "same-event": {
      sends: "o mesmo id de evento em duas entregas",
      remedy:
        "Confirme com 2xx um id de evento que você já conhece e não faça nada: uma recusa faz o serviço enviá-lo de novo.",
      passed: "se o trabalho foi feito uma só vez não se pode ver daqui",
    },
    retry: {
      sends: "uma entrega duas vezes, assinada de novo 10 s depois",
      remedy:
        "Confirme com 2xx um id de entrega que você já conhece; uma nova tentativa tem timestamp e assinatura novos.",
      passed: "se o trabalho foi feito uma só vez não se pode ver daqui",
    },
    "wrong-signature": {
      sends: "um último dígito trocado, na forma canônica e na legada",
      remedy:
        "Calcule o HMAC do corpo como chegou. Quando não confere, recuse com 4xx antes de qualquer outro trabalho.",
    },
    "other-body": {
      sends: "uma assinatura feita para outro valor",
      remedy: "Calcule o HMAC do corpo inteiro como chegou: neste caso o valor foi trocado depois de assinado.",
    },
    "wrong-secret": {
      sends: "assinado com outro segredo",
      remedy:
        "Calcule o HMAC do corpo como chegou. Quando não confere, recuse com 4xx antes de qualquer outro trabalho.",
    },
    "no-signature": {
      sends: "nenhum X-QA-Signature",
      remedy: "Recuse com 4xx uma requisição sem assinatura: quem conhece o endereço pode enviar uma.",
    },
    "malformed-signature": {
      sends: "cinco cabeçalhos que não têm nenhuma das formas",
      remedy:
        "Verifique a forma e o tamanho do cabeçalho antes de comparar, e recuse com 4xx um cabeçalho que não os tem.",
    },
    "legacy-on-canonical": {
      sends: "um charge.paid assinado com sha256=…, sem hora",
      remedy:
        "Aceite sha256=… só em eventos legados: não tem timestamp, e uma entrega antiga poderia ser enviada de novo.",
    },
    "stale-timestamp": {
      sends: "assinado 10 minutos atrás",
      remedy: "Recuse com 4xx um t com mais de uns 5 minutos: senão uma entrega gravada pode ser repetida para sempre.",
    },
    "future-timestamp": {
      sends: "assinado 10 minutos à frente",
      accepted: "um timestamp 10 minutos à frente é aceito: tal entrega pode ser repetida por esse tempo a mais",
      refused:
        "um timestamp 10 minutos à frente é recusado: mantenha certo o relógio do receptor, ou ele recusa também entregas boas",
    },
    "old-secret": {
      sends: "assinado com o segredo de antes da troca",
      accepted: "o segredo antigo é aceito: certo durante uma troca; recuse-o quando a troca acabar",
      refused: "o segredo antigo é recusado: certo depois de uma troca; durante uma, aceite os dois segredos",
    },
    "unknown-event": {
      sends: "um tipo de evento que ainda não existe",
      remedy: "Responda 2xx a um tipo desconhecido e ignore-o: novos tipos surgem sem aviso.",
    },
    "unknown-fields": {
      sends: "campos que ainda não existem",
      remedy: "Ignore campos desconhecidos em vez de recusá-los: novos campos surgem sem aviso.",
    },
    "out-of-order": {
      sends: "um charge.paid antes do seu charge.created",
      remedy:
        "Eventos podem vir em qualquer ordem: use os dados de cada evento, ou busque a cobrança. Não exija um evento anterior.",
    },
    unicode: {
      sends: "emoji, escrita da direita para a esquerda e caracteres combinados",
      remedy: "Confira os bytes como chegaram. Não normalize o texto, e decodifique-o só como UTF-8.",
    },
    escapes: {
      sends: "escapes \\u e \\/ no corpo",
      remedy: "Confira os bytes como chegaram, antes de interpretá-los: imprimir de novo o corpo lido dá outros bytes.",
    },
    "large-body": {
      sends: "um corpo de 100 kB",
      remedy: "Aumente o limite do corpo para pelo menos 1 MB: os metadados voltam nos eventos.",
    },
    "slow-body": {
      sends: "um corpo em dois pedaços, cortado dentro de um caractere",
      remedy:
        "Junte o corpo inteiro como bytes antes de conferi-lo: um pedaço pode vir tarde e terminar dentro de um caractere.",
    },
    "at-once": {
      sends: "10 eventos ao mesmo tempo",
      remedy: "Ponha os eventos em uma fila e responda 2xx logo: em um dia cheio muitos eventos vêm ao mesmo tempo.",
    },
  },
  advice: {
    late: () =>
      "Não houve resposta a tempo: responda primeiro e trabalhe depois. O serviço espera 30 segundos e então envia de novo.",
    no_answer: () =>
      "Não houve resposta: responda a toda requisição, e use um certificado TLS em que os clientes confiam.",
    redirect: (status) =>
      `Um redirecionamento (${status}) não é seguido e conta como falha: cadastre o endereço para o qual ele aponta.`,
    rate_limit: () =>
      "O receptor limita a taxa (429): o serviço esperaria e enviaria de novo. Retire o limite para este teste.",
    failed: (status) => `O receptor falhou (${status}).`,
    failed_to_refuse: (status) =>
      `O receptor falhou (${status}) em vez de recusar com 4xx: o serviço enviaria de novo.`,
    mixed: (_status, accepted, all) => `${accepted} de ${all} entregas são aceitas`,
  },
  allRefused: "Todas as entregas válidas foram recusadas. O receptor conhece este segredo, e este é o endereço dele?",
});

const isWith = (hundred: number) => (answer: Case["answers"][number]) =>
  Math.floor((answer.status_code ?? 0) / 100) === hundred;

/** The advice in the words of these texts; null when they do not have it. */
function adviceIn({ of, advice }: Texts, { name, advice_code: code, answers }: Case): string | null {
  const own = of[name];
  if (code === null || own === undefined) return null;
  if (code === "remedy" || code === "passed" || code === "accepted" || code === "refused") return own[code] ?? null;
  const status = answers.find((answer) => isWith(code === "redirect" ? 3 : 5)(answer))?.status_code ?? 0;
  const text = advice[code](status, answers.filter(isWith(2)).length, answers.length);
  return code === "failed" || code === "failed_to_refuse" ? `${text} ${own.remedy ?? ""}`.trim() : text;
}

/** What a case sends and what it advises. A text that these do not have stays as the service wrote it, and is marked as English. */
export function textsOfCase(texts: Texts | null, one: Case) {
  const sends = texts?.of[one.name]?.sends;
  const advice = texts === null ? null : adviceIn(texts, one);
  return {
    sends: { text: sends ?? one.sends, lang: sends === undefined ? "en" : undefined },
    advice: { text: advice ?? one.advice, lang: advice === null ? "en" : undefined },
  };
}
