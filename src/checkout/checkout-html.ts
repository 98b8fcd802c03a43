import { type Outcome, outcomeHtml } from "./outcome.js";
import { headHtml, type Subject, shellHtml } from "./shell.js";

/** The hosted checkout page in Portuguese. */
export interface CheckoutView extends Subject {
  /** By Pix alone. */
  readonly onlyPix: boolean;
  /** How it can be paid, as HTML; null when it cannot be, or not yet. */
  readonly methods: string | null;
  /** Null while it waits for its payer. */
  readonly outcome: Outcome | null;
  /** Where a cardholder goes on whom the issuer wants authenticated. */
  readonly authenticateUrl: string | null;
  readonly statusUrl: string;
  /** Whether the status can still change while somebody looks at it. */
  readonly live: boolean;
}

/** JSON that may stand inside a script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const SCRIPT = `
const start=performance.now(),two=n=>String(n).padStart(2,"0");
function show(now){for(const section of document.querySelectorAll("[data-method]"))
if(!now.methods.includes(section.dataset.method))section.remove();
if(now.title){document.getElementById("title").textContent=now.title;document.getElementById("text").textContent=now.text;
const outcome=document.getElementById("outcome");outcome.className="outcome "+now.tone;outcome.hidden=false;document.title=now.title;
if(now.status!=="processing")outcome.querySelector("a")?.remove()}
return now.status==="pending"||now.status==="processing"}
function tick(){const times=document.querySelectorAll("[data-left]");for(const time of times){
const left=Math.max(0,Math.round(time.dataset.left-(performance.now()-start)/1000)),h=Math.floor(left/3600);
time.textContent="Expira em "+(h?h+":":"")+two(Math.floor(left/60)%60)+":"+two(left%60)}if(times.length)setTimeout(tick,1000)}
async function watch(){let live=true;try{const answer=await fetch(statusUrl,{cache:"no-store"});
if(answer.ok)live=show(await answer.json())}catch{}if(live)setTimeout(watch,1500)}
for(const copy of document.querySelectorAll("[data-copy]")){const label=copy.textContent;copy.addEventListener("click",async()=>{
try{await navigator.clipboard.writeText(copy.dataset.copy)}catch{const range=document.createRange();range.selectNodeContents(copy.nextElementSibling);
const chosen=getSelection();chosen.removeAllRanges();chosen.addRange(range);document.execCommand("copy")}
copy.textContent=copy.dataset.done;setTimeout(()=>{copy.textContent=label},2500)})}
tick();watch();`;

/** Seconds between two looks at a transaction that has no codes yet. */
const REFRESH = 2;

export function checkoutHtml(view: CheckoutView): string {
  const waits = view.methods === null && view.outcome === null;
  const preparing = { tone: "wait", title: "Preparando o pagamento", text: "Só um instante." } as const;
  const onwards =
    view.authenticateUrl === null ? "" : `<a class="button" href="${view.authenticateUrl}">Continuar autenticação</a>`;
  return shellHtml({
    nonce: view.nonce,
    title: view.outcome?.title ?? `Pagar ${view.amount}${view.onlyPix ? " com Pix" : ""}`,
    main: `${headHtml(view)}
${view.methods ?? ""}${outcomeHtml(waits ? preparing : view.outcome, onwards)}`,
    ...(waits ? { refresh: REFRESH } : {}),
    ...(view.live && !waits ? { script: `const statusUrl=${scriptJson(view.statusUrl)};${SCRIPT}` } : {}),
  });
}
