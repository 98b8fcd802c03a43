/** `?raw` imports the text of a file: Vitest knows it by itself, the build by scripts/raw-text.ts. */
declare module "*?raw" {
  const text: string;
  export default text;
}
