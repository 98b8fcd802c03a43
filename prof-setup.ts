import { appendFileSync, readFileSync, readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
const out = process.env.PROF_OUT ?? "/tmp/suite-prof/out.jsonl";
const stat = (pid: string) => { try { const s = readFileSync(`/proc/${pid}/stat`, "utf8"); return s.slice(s.lastIndexOf(")") + 2).split(" "); } catch { return null; } };
function living(): number {
  const parents = new Map<string, string>(); const used = new Map<string, number>();
  for (const pid of readdirSync("/proc")) { if (!/^\d+$/.test(pid)) continue; const f = stat(pid); if (!f) continue; parents.set(pid, f[1]!); used.set(pid, Number(f[11]) + Number(f[12]) + Number(f[13]) + Number(f[14])); }
  let sum = 0; const me = String(process.pid);
  for (const [pid, cost] of used) { if (pid === me) continue; let at: string | undefined = pid; while (at !== undefined && at !== me && at !== "0") at = parents.get(at); if (at === me) sum += cost; }
  return sum / 100;
}
function cpu() {
  const u = process.cpuUsage();
  const f = stat("self")!;
  return { own: (u.user + u.system) / 1e6, kids: (Number(f[13]) + Number(f[14])) / 100 + living() };
}
const t0 = cpu(); const w0 = Date.now();
let b = t0; let wb = w0;
let tb = t0; let wt = w0;
const path = () => (expect.getState().testPath ?? "?").replace(/.*\/tree\//, "");
beforeAll(() => { b = cpu(); wb = Date.now(); });
beforeEach(() => { tb = cpu(); wt = Date.now(); });
afterEach((ctx) => { const e = cpu(); appendFileSync(out, JSON.stringify({ k: "test", f: path(), n: ctx.task.name, own: e.own - tb.own, kids: e.kids - tb.kids, ms: Date.now() - wt }) + "\n"); });
afterAll(() => { const e = cpu(); appendFileSync(out, JSON.stringify({ k: "file", f: path(), own: e.own - t0.own, imp: b.own - t0.own, kids: e.kids - t0.kids, ms: Date.now() - w0, impms: wb - w0 , pid: process.pid}) + "\n"); });
