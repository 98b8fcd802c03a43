/** Eleventy has no types. This is the part that the build uses. */
declare module "@11ty/eleventy" {
  interface Config {
    readonly benchmarkManager: { get(group: string): { setIsVerbose(isVerbose: boolean): void } };
    setTemplateFormats(formats: readonly string[]): void;
    setLibrary(extension: string, library: object): void;
    addGlobalData(name: string, value: unknown): void;
    addPassthroughCopy(files: Readonly<Record<string, string>>): void;
    addTransform(name: string, transform: (this: { page: { filePathStem: string } }, content: string) => string): void;
  }
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        readonly quietMode: boolean;
        readonly configPath: false;
        readonly config: (config: Config) => Readonly<Record<string, boolean>>;
      },
    );
    disableLogger(): void;
    write(): Promise<unknown>;
  }
}
