// @ts-check

/** npm, npx and tsc are .cmd files on Windows. */
export const shell = process.platform === "win32";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** True if this Node has SQLite, and needs no flag for it. */
export const hasOwnSqlite = major > 23 || (major === 23 && minor >= 4) || (major === 22 && minor >= 13);
