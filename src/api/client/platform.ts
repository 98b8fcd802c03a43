/**
 * Types of the platform, if the project that uses the package declares them (with @types/node or the library "DOM").
 * Without any of them the package still has valid types.
 */

export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Declared } } ? Declared : unknown;

export type Fetch = typeof globalThis extends { fetch: infer Declared } ? Declared : unknown;
