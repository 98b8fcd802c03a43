/**
 * The profile `demo` is there without being stored: it leads to `qa-pay demo` at its usual port, which writes no file that could.
 * A stored profile of this name replaces it.
 */

export const DEMO = "demo";
export const HOST = "127.0.0.1";
export const DEMO_PORT = 4_600;

/** Known to everybody: it opens an emulator in memory, at an address of this machine alone. */
export const DEMO_PROFILE = { base_url: `http://${HOST}:${DEMO_PORT}`, api_key: "qa_test_demo_shop" } as const;
