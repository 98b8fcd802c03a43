import manifest from "../../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** better-sqlite3 as a package manager takes it: the last version line for Node 20. */
export const SQLITE_PACKAGE = "better-sqlite3@12";
