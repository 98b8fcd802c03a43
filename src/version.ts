import manifest from "../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/** The SQLite driver as a package manager takes it, in the version that this one works with. */
export const SQLITE_PACKAGE = `better-sqlite3@${manifest.optionalDependencies["better-sqlite3"]}`;
