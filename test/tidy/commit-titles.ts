import { execFileSync } from "node:child_process";

/** Longer titles are cut in most lists of commits. */
const MOST_CHARACTERS = 90;

function git(...words: readonly string[]): string {
  try {
    return execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    // No git, or no repository: the sources were unpacked from an archive.
    return "";
  }
}

/** The commits that follow the one which added this rule, one on each line: the short hash and the title. */
export function commitsSinceRule(): string {
  const first = git("log", "--diff-filter=A", "--format=%H", "-1", "--", "test/tidy/commit-titles.ts");
  return first === "" ? "" : git("log", "--no-merges", "--ancestry-path", "--format=%h %s", `${first}..HEAD`);
}

/** The commits whose title is too long, with its length. */
export function longTitles(commits: string): string[] {
  return commits.split("\n").flatMap((line) => {
    const [hash = "", ...words] = line.split(" ");
    const { length } = [...words.join(" ")];
    return length > MOST_CHARACTERS
      ? [`${hash} has a title of ${length} characters, more than ${MOST_CHARACTERS}`]
      : [];
  });
}
