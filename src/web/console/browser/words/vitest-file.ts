/** A test for Vitest, as text: it has an emulator of its own, which ends with it. Pure. */

interface TestText {
  /** Further imports from the package besides `createEmulator`. */
  readonly takes?: string;
  /** Lines between the imports and the test. */
  readonly before?: readonly string[];
  readonly title: string;
  /** Options of the emulator, as code. */
  readonly options?: string;
  readonly lines: readonly string[];
}

export function vitestFile({ takes, before = [], title, options = "", lines }: TestText): string {
  return [
    `import { ${takes === undefined ? "" : `${takes}, `}createEmulator } from "qa-pay";`,
    'import { expect, test } from "vitest";',
    "",
    ...before,
    `test(${JSON.stringify(title)}, async () => {`,
    `  const emulator = await createEmulator(${options});`,
    "  try {",
    ...lines.map((line) => `    ${line}`),
    "  } finally {",
    "    await emulator.close();",
    "  }",
    "});",
    "",
  ].join("\n");
}
