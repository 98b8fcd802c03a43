import { texts } from "../../state/language.js";

export const signatureWords = texts(
  {
    title: "Signature",
    signed: "What was signed",
    key: "Key",
    key_text: "the secret of the endpoint, as text",
    t: "t, the emulated time of the attempt in Unix seconds",
    digest: "HMAC-SHA256 of it",
    why: "Why would my receiver refuse this?",
    nobody: (host: string) =>
      `Nobody listens at ${host}, so that nothing was refused. Start your receiver there, or change the address of the endpoint. Then press Resend.`,
    unanswered:
      "No answer came, so that nothing was refused. Start your receiver or make it faster, then press Resend.",
    broken: "Your receiver failed while it worked on the event. Look in its log, mend it, then press Resend.",
    forged: "Chaos has forged this signature: a right receiver refuses it.",
    stale: "Chaos has dated this signature eleven minutes back: a right receiver refuses it.",
    ahead: (seconds: number) =>
      `t is ${seconds} s ahead of your receiver's clock (header Date of its answer). A receiver that refuses the future refuses it; the emulated clock was moved.`,
    behind: (seconds: number) =>
      `t is ${seconds} s behind your receiver's clock (header Date of its answer). With the usual five minutes it is refused; the emulated clock stands or was moved back.`,
    clock_fits: (seconds: number) =>
      `t and your receiver's clock differ by ${seconds} s: within the usual five minutes.`,
    clock_unknown: "The answer has no header Date, so the receiver's clock is not known. Compare it with t.",
    no_t: "A legacy signature has no timestamp: a clock is no reason to refuse it.",
    printed: "This body is another text when it is parsed and printed again. Verify the bytes as they came.",
    printed_elsewhere:
      "Verify the bytes as they came. JSON.stringify prints this body the same; json_encode and json.dumps do not.",
    rotated: "The secret may have been rotated since: every attempt is signed with the secret of its moment.",
    check: "Check it with the secret of the endpoint",
    checked_valid:
      "The signature is right: the secret that the endpoint has now made it. A receiver that refuses it has another secret (the page of the endpoint reveals the right one), or does not verify the bytes as they came.",
    checked_not:
      "The secret that the endpoint has now did not make this signature: it was rotated since, or chaos forged it.",
    no_secret: "Its endpoint has no secret that can be revealed: the signing secret of the account signs it.",
    curl: "curl with a fresh signature",
    curl_text: "It is signed now, by the real clock, with the secret that the endpoint has.",
    curl_old: "curl with the signature as it was sent",
    code: "Check it in your code",
    no_crypto: "This browser signs only at addresses that it trusts. Open the console at 127.0.0.1.",
  },
  {
    title: "Assinatura",
    signed: "O que foi assinado",
    key: "Chave",
    key_text: "o segredo do endpoint, como texto",
    t: "t, a hora emulada da tentativa em segundos Unix",
    digest: "HMAC-SHA256 disso",
    why: "Por que o meu receptor recusaria isto?",
    nobody: (host) =>
      `Ninguém escuta em ${host}, então nada foi recusado. Inicie o seu receptor ali ou mude o endereço do endpoint. Depois aperte Reenviar.`,
    unanswered:
      "Não veio resposta, então nada foi recusado. Inicie o seu receptor ou deixe-o mais rápido e aperte Reenviar.",
    broken: "O seu receptor falhou ao tratar o evento. Veja o log dele, corrija-o e aperte Reenviar.",
    forged: "O caos forjou esta assinatura: um receptor correto a recusa.",
    stale: "O caos datou esta assinatura onze minutos atrás: um receptor correto a recusa.",
    ahead: (seconds) =>
      `t está ${seconds} s à frente do relógio do seu receptor (cabeçalho Date da resposta). Um receptor que recusa o futuro a recusa; o relógio emulado foi avançado.`,
    behind: (seconds) =>
      `t está ${seconds} s atrás do relógio do seu receptor (cabeçalho Date da resposta). Com os cinco minutos usuais ela é recusada; o relógio emulado está parado ou foi atrasado.`,
    clock_fits: (seconds) => `t e o relógio do seu receptor diferem em ${seconds} s: dentro dos cinco minutos usuais.`,
    clock_unknown: "A resposta não tem o cabeçalho Date, então o relógio do receptor não é conhecido. Compare-o com t.",
    no_t: "Uma assinatura legada não tem timestamp: o relógio não é motivo para recusá-la.",
    printed: "Este corpo vira outro texto quando é lido e impresso de novo. Confira os bytes como chegaram.",
    printed_elsewhere:
      "Confira os bytes como chegaram. JSON.stringify imprime este corpo igual; json_encode e json.dumps não.",
    rotated: "O segredo pode ter sido trocado desde então: cada tentativa é assinada com o segredo do seu momento.",
    check: "Conferir com o segredo do endpoint",
    checked_valid:
      "A assinatura está certa: o segredo que o endpoint tem agora a fez. Um receptor que a recusa tem outro segredo (a página do endpoint revela o certo), ou não confere os bytes como chegaram.",
    checked_not:
      "O segredo que o endpoint tem agora não fez esta assinatura: foi trocado desde então, ou o caos a forjou.",
    no_secret: "O endpoint não tem segredo que se possa revelar: o segredo de assinatura da conta a assina.",
    curl: "curl com assinatura nova",
    curl_text: "É assinado agora, pelo relógio real, com o segredo que o endpoint tem.",
    curl_old: "curl com a assinatura como foi enviada",
    code: "Conferir no seu código",
    no_crypto: "Este navegador só assina em endereços em que confia. Abra o console em 127.0.0.1.",
  },
);
