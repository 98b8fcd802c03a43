// @ts-check
// Usage: node scripts/release.mjs <major | minor | patch | x.y.z> [--dry-run]
// x.y.z may be the present version when that was never released.
// Prepares a release (docs/RELEASING.md): the version in package.json and package-lock.json, a section of its own in
// CHANGELOG.md, the samples that name it, a commit and a tag. It pushes and publishes nothing. With --dry-run it looks at everything and changes
// nothing.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const [wanted = "", ...flags] = process.argv.slice(2);
const isDryRun = flags.includes("--dry-run");
/** The page whose samples name the version as `qa-pay@vX.Y.Z`. */
const PAGE = "docs/guides/ci.md";
const today = new Date().toISOString().slice(0, 10);

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const changelog = readFileSync("CHANGELOG.md", "utf8");
const version = nextVersion(manifest.version, wanted);
const notes = /\n## \[Unreleased\]\n([\s\S]*?)(?=\n## \[|$)/.exec(changelog)?.[1]?.trim() ?? "";

const problems = [
  version === undefined && `Name what to release: major, minor, patch or a version from ${manifest.version} on.`,
  flags.some((flag) => flag !== "--dry-run") && "The only flag is --dry-run.",
  // Right after a release there is nothing to release, and nothing wrong either.
  !isDryRun && notes === "" && "CHANGELOG.md has nothing under [Unreleased].",
  changelog.includes(`\n## [${version}]`) && `CHANGELOG.md already has a section for ${version}.`,
  [lock.version, lock.packages[""].version].some((locked) => locked !== manifest.version) &&
    "package-lock.json has another version than package.json: run `npm install --package-lock-only`.",
  git("tag", "--list", `v${version}`) !== "" && `There is a tag v${version} already.`,
  !readFileSync(PAGE, "utf8").includes(`qa-pay@v${manifest.version}`) && `${PAGE} does not name v${manifest.version}.`,
  !isDryRun && git("status", "--porcelain") !== "" && "There are changes that are not committed.",
].filter((problem) => problem !== false);

if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
} else release();

function release() {
  console.log(`${manifest.version} → ${version}, ${today}\n\n${notes || "Nothing is under [Unreleased]."}\n`);
  for (const missing of ["repository", "bugs", "homepage"].filter((field) => manifest[field] === undefined)) {
    console.log(`package.json has no "${missing}" (docs/RELEASING.md, "Before the first release").`);
  }
  if (isDryRun) return;
  writeFileSync(
    "CHANGELOG.md",
    changelog.replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - ${today}\n`),
  );
  writeFileSync(PAGE, readFileSync(PAGE, "utf8").replaceAll(`qa-pay@v${manifest.version}`, `qa-pay@v${version}`));
  execFileSync("npm", ["version", "--no-git-tag-version", "--allow-same-version", String(version)], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  git("add", "CHANGELOG.md", "package.json", "package-lock.json", PAGE);
  git("commit", "--message", `Release ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `qa-pay ${version}`);
  console.log(`Committed and tagged v${version}. Publish it with: git push --follow-tags`);
}

/**
 * Undefined for what is neither a step nor a version that is not before the present one.
 * @param {string} current
 * @param {string} step
 */
function nextVersion(current, step) {
  const [major = 0, minor = 0, patch = 0] = current.split(".").map(Number);
  if (step === "major") return `${major + 1}.0.0`;
  if (step === "minor") return `${major}.${minor + 1}.0`;
  if (step === "patch") return `${major}.${minor}.${patch + 1}`;
  const given = /^(\d+)\.(\d+)\.(\d+)$/.exec(step)?.slice(1).map(Number);
  if (given === undefined) return undefined;
  const [difference = 0] = given.map((part, index) => part - ([major, minor, patch][index] ?? 0)).filter(Boolean);
  return difference >= 0 ? step : undefined;
}

/**
 * A dry run also works in a folder that is no clone, or that git does not trust: it says so.
 * @param {string[]} args
 */
function git(...args) {
  try {
    return execFileSync("git", args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", isDryRun ? "ignore" : "inherit"],
    }).trim();
  } catch (error) {
    if (!isDryRun) throw error;
    console.log("git does not answer here, so tags were not looked at.");
    return "";
  }
}
