// Named, because the bundle would copy every member of the module for a whole one.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type Module from "node:module";
import { basename, dirname, join, sep } from "node:path";
import { constants, Script } from "node:vm";
import { makeFolder, refuseShared } from "./own-folder.js";
import { atExit, compiledCodeFolder, createRandom, nodeKeepsCompiledCode, realTime } from "./real-runtime.js";

/**
 * Keeps what V8 compiled of this program in a folder of the user, so that the next start need not compile it again. Node
 * 22 and newer can do that themselves. For Node 20 this module does it: a third of a start of `serve` is compiling.
 */

/** The class of all CommonJS modules. */
type Modules = typeof Module;
type Compile = (this: NodeJS.Module, code: string, path: string) => unknown;

/** Entries that are older are removed when others are written: they may belong to versions that are gone. */
const OLDEST_MS = 30 * 24 * 3_600_000;

/** How the build begins a file of the program: a digest of what follows. */
const DIGEST = /^\/\/ ([\da-f]{32})\n/;

/**
 * The name of the entry for a file. V8 compares no more than the length of a source, and an installer may give all files one time, so
 * it is the digest that tells one version from another. The time is for a file that somebody changes by hand.
 */
function entryName(path: string, digest: string): string {
  return `${basename(path)}-${digest}-${statSync(path).mtimeMs}-${process.version}-${process.arch}`;
}

/** The name of an entry, or of its draft. The folder may hold other things, because a variable of Node can name any folder. */
const ENTRY_NAME = /\.cjs-[\da-f]+-[\d.]+-v\d+\.\d+\.\d+-\w+(?:\.[\da-f]{16})?$/;

/** Whether a folder is there to which nobody but this user can write: V8 runs what its entries say. */
function isOwn(folder: string): boolean {
  try {
    refuseShared(folder);
    return true;
  } catch {
    return false;
  }
}

/** What V8 compiled at an earlier start; undefined where there is nothing. V8 refuses what is of another version of it. */
function readEntry(entry: string): Buffer | undefined {
  try {
    return readFileSync(entry);
  } catch {
    return undefined;
  }
}

/**
 * Writes an entry under another name, to the disk, and only then gives it its name: V8 does not look for damage in what it
 * runs, so an entry must be whole, also after the machine has lost its power.
 */
function writeEntry(entry: string, script: Script): void {
  // Drawn by chance, because processes of several containers can have the same number.
  const draft = `${entry}.${createRandom().hex(8)}`;
  try {
    writeFileSync(draft, script.createCachedData(), { mode: 0o600, flush: true });
    renameSync(draft, entry);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes old entries, and drafts of runs that were killed. */
function removeOld(folder: string): void {
  const oldest = realTime.epoch() - OLDEST_MS;
  for (const name of readdirSync(folder).filter((one) => ENTRY_NAME.test(one))) {
    const entry = join(folder, name);
    if (statSync(entry).mtimeMs < oldest) rmSync(entry, { force: true });
  }
}

/** Writes the entries that are missing. A folder that cannot be written to only makes the next start slower. */
function writeMissing(folder: string, missing: ReadonlyMap<string, Script>): void {
  if (missing.size === 0) return;
  try {
    makeFolder(folder);
    if (!isOwn(folder)) return;
    removeOld(folder);
    for (const [name, script] of missing) writeEntry(join(folder, name), script);
  } catch {
    // The next start compiles again.
  }
}

/** Compiles the files of this program from what the folder has of them, and lets Node compile all others. */
function compileFrom(folder: string, modules: Modules): void {
  const program = __dirname + sep;
  const canRead = isOwn(folder);
  const missing = new Map<string, Script>();
  const prototype = modules.prototype as NodeJS.Module & { _compile: Compile };
  const byNode = prototype._compile;
  prototype._compile = function compile(code, path) {
    const [, digest] = (path.startsWith(program) && DIGEST.exec(code)) || [];
    if (digest === undefined) return byNode.call(this, code, path);
    const name = entryName(path, digest);
    const cachedData = canRead ? readEntry(join(folder, name)) : undefined;
    const script = new Script(modules.wrap(code), {
      filename: path,
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (cachedData === undefined || script.cachedDataRejected) missing.set(name, script);
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, modules.createRequire(path), this, path, dirname(path));
  };
  // Only then is everything compiled that this run has used.
  atExit(() => writeMissing(folder, missing));
}

/**
 * Uses and fills the folder for compiled code from now on, for what is loaded later. The variables of Node apply:
 * NODE_COMPILE_CACHE is another folder, NODE_DISABLE_COMPILE_CACHE turns it off, and so does a report of the coverage,
 * which is less exact with code that was compiled before.
 */
export function keepCompiledCode(modules: Modules): void {
  const folder = compiledCodeFolder();
  if (folder === null) return;
  if (!nodeKeepsCompiledCode(folder)) compileFrom(folder, modules);
}
