/** The console's one page: an empty frame that fills itself from `/console/data` and keeps itself fresh. */

const STYLE = `
:root{color-scheme:light dark;--ink:#14213d;--soft:#5b6577;--line:#e3e7ee;--card:#fff;--page:#f4f6fa;--good:#0b7a4b;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#a5b0c2;--line:#2c3545;--card:#1a2230;--page:#10151f;--good:#4cc38a;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;padding:24px;background:var(--page);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
header{display:flex;gap:16px;align-items:baseline;flex-wrap:wrap;margin:0 auto 16px;max-width:1200px}h1{font-size:20px;margin:0}
header span{color:var(--soft);font-variant-numeric:tabular-nums}label{margin-left:auto}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;margin:0 auto 16px;max-width:1200px;overflow-x:auto}
h2{font-size:15px;margin:0 0 8px}table{border-collapse:collapse;width:100%;white-space:nowrap}th{text-align:left;color:var(--soft);font-weight:500}
th,td{padding:4px 16px 4px 0;border-bottom:1px solid var(--line)}tr:last-child td{border-bottom:0}td{font-variant-numeric:tabular-nums}
.good{color:var(--good)}.bad{color:var(--bad)}p{color:var(--soft);margin:0}`;

const SCRIPT = `
const good=new Set(["paid","DELIVERED","200","201","204"]),bad=new Set(["failed","expired","cancelled","FAILED","CANCELLED"]);
const make=(tag,text)=>{const element=document.createElement(tag);if(text!==undefined)element.textContent=text;return element};
function cell(text){const td=make("td",text);if(good.has(text))td.className="good";
if(bad.has(text)||/^[45]\\d\\d$/.test(text))td.className="bad";return td}
function draw(table){const section=make("section");section.append(make("h2",table.title));
if(!table.rows.length){section.append(make("p","Nothing yet."));return section}
const grid=make("table"),head=make("tr");head.append(...table.head.map(text=>{const th=make("th",text);th.scope="col";return th}));
grid.append(head,...table.rows.map(row=>{const tr=make("tr");tr.append(...row.map(cell));return tr}));section.append(grid);return section}
async function refresh(){const mode=document.getElementById("mode").value;
try{const answer=await fetch("/console/data?k="+encodeURIComponent(token)+"&mode="+mode,{cache:"no-store"});
if(!answer.ok)throw new Error("the server answered "+answer.status);const data=await answer.json();
document.getElementById("now").textContent="Clock "+data.now;
document.querySelector("main").replaceChildren(...data.tables.map(draw))}
catch(error){document.getElementById("now").textContent="Not reachable: "+error.message}}
document.getElementById("mode").addEventListener("change",refresh);
(async function loop(){await refresh();setTimeout(loop,2000)})();`;

/** `token` is base64url, so it may stand in an attribute and in a script as it is. */
export function consoleHtml(token: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>qa-pay console</title><style nonce="${token}">${STYLE}</style></head><body>
<header><h1>qa-pay</h1><span id="now"></span><label>Mode <select id="mode"><option>test</option><option>live</option></select></label></header>
<main></main><script nonce="${token}">const token="${token}";${SCRIPT}</script></body></html>`;
}
