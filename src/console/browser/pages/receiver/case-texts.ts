import type { OperationAnswer } from "../../../../client/types.js";
import { adviceText, type ReceiverTexts } from "../../../../receiver-check/texts.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What the check of a receiver sends and advises. */

type Report = OperationAnswer<"sandbox.receivers.test">;

const tableIn = perLanguage<ReceiverTexts | null>(null, {
  cases: {
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
      remedy: "Responda 2xx ou 4xx.",
      accepted: "um timestamp 10 minutos à frente é aceito: tal entrega pode ser repetida por esse tempo a mais",
      refused:
        "um timestamp 10 minutos à frente é recusado: mantenha certo o relógio do receptor, ou ele recusa também entregas boas",
    },
    "old-secret": {
      sends: "assinado com o segredo de antes da troca",
      remedy: "Responda 2xx ou 4xx.",
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
    late: "Não houve resposta a tempo: responda primeiro e trabalhe depois. O serviço espera 30 segundos e então envia de novo.",
    no_answer: "Não houve resposta: responda a toda requisição, e use um certificado TLS em que os clientes confiam.",
    redirect:
      "Um redirecionamento ({status}) não é seguido e conta como falha: cadastre o endereço para o qual ele aponta.",
    rate_limit:
      "O receptor limita a taxa (429): o serviço esperaria e enviaria de novo. Retire o limite para este teste.",
    failed: "O receptor falhou ({status}). {remedy}",
    failed_to_refuse: "O receptor falhou ({status}) em vez de recusar com 4xx: o serviço enviaria de novo. {remedy}",
    mixed: "{accepted} de {all} entregas são aceitas",
  },
  hints: {
    all_refused:
      "Todas as entregas válidas foram recusadas. O receptor conhece este segredo, e este é o endereço dele?",
  },
});

/** What a case sends and what it advises. */
export function textsOfCase(one: Report["cases"][number], language: Language) {
  const texts = tableIn(language);
  if (texts === null) return { sends: one.sends, advice: one.advice };
  const { name, advice_code: code, advice_params: params } = one;
  const advice = code === null ? null : adviceText(texts, name, { code, params: params ?? {} });
  return { sends: texts.cases[name].sends, advice };
}

export function hintText({ hint, hint_code: code }: Pick<Report, "hint" | "hint_code">, language: Language) {
  return code === null ? null : (tableIn(language)?.hints[code] ?? hint);
}
