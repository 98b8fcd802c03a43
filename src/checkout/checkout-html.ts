import type { ChargeStatus } from "../features/transactions/machine.js";

/** The hosted checkout page in Portuguese, whole in one answer: no other file, no other host. */
export interface CheckoutView {
  readonly nonce: string;
  /** `R$ 1.234,56` */
  readonly amount: string;
  readonly customer: string | null;
  readonly description: string | null;
  readonly merchant: string;
  readonly status: ChargeStatus;
  readonly secondsLeft: number;
  /** Only while the charge waits for its payer. */
  readonly code: { readonly text: string; readonly svg: string } | null;
  readonly statusUrl: string;
}

const OUTCOMES: Readonly<Record<Exclude<ChargeStatus, "pending">, readonly [string, string]>> = {
  paid: ["Pagamento confirmado", "Recebemos o seu Pix. Obrigado!"],
  processing: ["Pagamento em análise", "Recebemos o seu Pix e estamos conferindo os dados."],
  expired: ["Cobrança expirada", "O prazo para pagar terminou. Peça uma nova cobrança."],
  failed: ["Cobrança indisponível", "Não foi possível gerar este Pix. Peça uma nova cobrança."],
  cancelled: ["Cobrança cancelada", "Esta cobrança não pode mais ser paga."],
  refunded: ["Pagamento devolvido", "O valor foi devolvido à conta de origem."],
  disputed: ["Pagamento em disputa", "Este pagamento está sendo contestado."],
};

const STYLE = `
:root{color-scheme:light dark;--ink:#14213d;--soft:#5b6577;--line:#e3e7ee;--card:#fff;--page:#f4f6fa;--act:#0b7a75;--on:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#a5b0c2;--line:#2c3545;--card:#1a2230;--page:#10151f;--act:#2bb3a3;--on:#06201d}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;
min-height:100vh;display:grid;place-items:center;padding:24px}main{background:var(--card);border:1px solid var(--line);border-radius:16px;
width:100%;max-width:420px;padding:28px;text-align:center}p{margin:0}.merchant,.about{color:var(--soft);font-size:14px}
.amount{font-size:34px;font-weight:700;margin:4px 0 8px;letter-spacing:-.5px}.qr{background:#fff;border-radius:12px;padding:8px;
margin:20px auto 12px;width:244px;border:1px solid var(--line)}.qr svg{display:block;width:100%;height:auto}
.time{color:var(--soft);font-size:14px;margin-bottom:16px;font-variant-numeric:tabular-nums}
button{width:100%;padding:14px;border:0;border-radius:10px;background:var(--act);color:var(--on);font:600 16px inherit;font-family:inherit;cursor:pointer}
button:focus-visible{outline:3px solid var(--ink);outline-offset:2px}.code{margin-top:12px;font:12px/1.4 ui-monospace,monospace;color:var(--soft);
overflow-wrap:anywhere;text-align:left;border:1px solid var(--line);border-radius:8px;padding:10px}h1{font-size:22px;margin:16px 0 4px}
.outcome{padding:20px 0 4px}[hidden]{display:none!important}`;

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** JSON that may stand inside a script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function payment(code: NonNullable<CheckoutView["code"]>): string {
  return `<section id="pay"><div class="qr" role="img" aria-label="QR Code do Pix">${code.svg}</div>
<p class="time" id="time"></p><button id="copy" type="button">Copiar código Pix</button>
<p class="code" id="code">${escapeHtml(code.text)}</p></section>`;
}

function outcome(status: ChargeStatus): string {
  const [title, text] = status === "pending" ? ["", ""] : OUTCOMES[status];
  return `<section class="outcome" id="outcome" role="status" aria-live="polite"${status === "pending" ? " hidden" : ""}>
<h1 id="title">${title}</h1><p id="text">${text}</p></section>`;
}

const SCRIPT = `
const pay=document.getElementById("pay"),time=document.getElementById("time"),copy=document.getElementById("copy");
const end=performance.now()+view.secondsLeft*1000;
function show(status){const found=view.outcomes[status];if(!found)return false;pay.remove();
document.getElementById("title").textContent=found[0];document.getElementById("text").textContent=found[1];
document.getElementById("outcome").hidden=false;document.title=found[0];return true}
function tick(){if(!pay.isConnected)return;const left=Math.max(0,Math.round((end-performance.now())/1000));
const two=n=>String(n).padStart(2,"0");const h=Math.floor(left/3600);
time.textContent="Expira em "+(h?h+":":"")+two(Math.floor(left/60)%60)+":"+two(left%60);setTimeout(tick,1000)}
async function watch(){try{const answer=await fetch(view.statusUrl,{cache:"no-store"});
if(answer.ok&&show((await answer.json()).status))return}catch{}setTimeout(watch,1500)}
copy.addEventListener("click",async()=>{const code=document.getElementById("code");
try{await navigator.clipboard.writeText(code.textContent)}catch{const range=document.createRange();range.selectNodeContents(code);
const chosen=getSelection();chosen.removeAllRanges();chosen.addRange(range);document.execCommand("copy")}
copy.textContent="Código copiado";setTimeout(()=>{copy.textContent="Copiar código Pix"},2500)});
tick();watch();`;

export function checkoutHtml(view: CheckoutView): string {
  const about = [view.customer, view.description].filter((text) => text !== null && text !== "");
  const live = { secondsLeft: view.secondsLeft, statusUrl: view.statusUrl, outcomes: OUTCOMES };
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>Pagar ${escapeHtml(view.amount)} com Pix</title>
<style nonce="${view.nonce}">${STYLE}</style></head><body><main>
<p class="merchant">${escapeHtml(view.merchant)}</p><p class="amount">${escapeHtml(view.amount)}</p>
${about.map((text) => `<p class="about">${escapeHtml(text ?? "")}</p>`).join("\n")}
${view.code === null ? "" : payment(view.code)}${outcome(view.status)}
</main>${view.code === null ? "" : `<script nonce="${view.nonce}">const view=${scriptJson(live)};${SCRIPT}</script>`}</body></html>`;
}
