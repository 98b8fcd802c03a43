import manifest from "../../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** The range of better-sqlite3 for a package manager: the last version line for Node 20. */
export const SQLITE_PACKAGE = "better-sqlite3@12";
