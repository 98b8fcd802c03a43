import schema from "./0001-schema.sql?raw";

/**
 * In order; the version of a database is the number of those that it has had. A migration that was released is never
 * edited: the next change of the schema is a new file.
 */
export const MIGRATIONS: readonly string[] = [schema];
