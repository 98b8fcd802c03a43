import type { Verdict, VerdictCode } from "../../../../kernel/webhook-signature.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What the signature bench says. In English it says what `qa-pay webhooks verify` says. */

const tableIn = perLanguage<Readonly<Record<VerdictCode, string>> | null>(null, {
  valid: "segredo, timestamp e corpo estão certos",
  no_form: "o cabeçalho não tem nenhuma das formas, t=<unix>,v1=<hex> ou sha256=<hex>",
  unknown: "o segredo é outro, ou o corpo foi alterado",
  old: "a assinatura confere, mas o timestamp tem {seconds} s pelo seu relógio",
  ahead: "a assinatura confere, mas o timestamp está {seconds} s à frente do seu relógio",
  secret_spaces: "há espaços ou um fim de linha em volta do segredo",
  line_end: "o corpo tem um fim de linha que não foi enviado",
  printed_again: "o corpo foi lido e impresso de novo. Confira os bytes como chegaram",
  hex_secret: "foi feita com o segredo decodificado de hexadecimal. O segredo é usado como texto",
  no_timestamp: "o timestamp ficou fora do que foi assinado",
});

const outcomeIn = perLanguage({ valid: "Verified", refused: "Refused" }, { valid: "Conferida", refused: "Recusada" });

export function verdictText({ code, reason, seconds }: Verdict, language: Language): string {
  const said = tableIn(language)?.[code].replace("{seconds}", String(seconds)) ?? reason;
  return `${outcomeIn(language)[code === "valid" ? "valid" : "refused"]}: ${said}.`;
}
