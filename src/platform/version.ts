import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** The SQLite driver as a package manager takes it, in the version that the tests use: the last one for Node 20. */
export const SQLITE_PACKAGE = `better-sqlite3@${manifest.devDependencies["better-sqlite3"]}`;
