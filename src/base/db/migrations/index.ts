import schema from "./0001-schema.sql?raw";

/**
 * In order; the version of a database counts them. One that was released is never edited: the next change is a new one, as a
 * text here or, if it takes several lines, as a file.
 */
export const MIGRATIONS: readonly string[] = [schema];
