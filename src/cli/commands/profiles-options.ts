import { Option } from "commander";
import type { QaCommand } from "../help.js";
import type { LocalCommand } from "../local-commands.js";

/** Declares `profiles`: where host and key are kept by name. They send nothing; `add` takes what it keeps. */
export const profilesCommand: LocalCommand = {
  name: "profiles",
  summary: "Hosts and keys by name: list, add, use, remove",
  declare(group, { io }) {
    const declare = (name: string, description: string, usage: string, ...examples: string[]): QaCommand => {
      const command = group.command(name).description(description).usage(usage) as QaCommand;
      command.exceptions = { quiet: true };
      command.example = examples[0];
      return command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
    };

    const list = declare(
      "list",
      "List the profiles; keys are shown by their beginning",
      "[flags]",
      "qa-pay profiles list",
    );
    list
      .addOption(new Option("--output <form>", "form of the list").choices(["table", "json", "jsonl"]))
      .action(async () => {
        const { listAll } = await import("./profiles.js");
        await listAll(io, list.optsWithGlobals());
      });

    const add = declare(
      "add",
      "Keep a host and a key under a name",
      "<name> --base-url <url> --api-key <key|-> [flags]",
      "qa-pay profiles add staging --base-url https://pay.example --api-key - < key.txt",
    );
    add.exceptions = { quiet: true, baseUrl: true, apiKey: true, yes: true };
    add.argument("<name>", "letters, digits, dots, dashes and underscores").action(async (name: string) => {
      const { add: run } = await import("./profiles.js");
      await run(io, name, add.optsWithGlobals());
    });

    const use = declare(
      "use",
      "Use a profile from now on, where no flag, variable or .env says otherwise",
      "<name>",
      "qa-pay profiles use staging",
    );
    use.argument("<name>", "name of `profiles list`").action(async (name: string) => {
      const { use: run } = await import("./profiles.js");
      await run(io, name, use.optsWithGlobals());
    });

    const remove = declare("remove", "Forget a profile and its key", "<name>", "qa-pay profiles remove staging");
    remove.argument("<name>", "name of `profiles list`").action(async (name: string) => {
      const { remove: run } = await import("./profiles.js");
      await run(io, name, remove.optsWithGlobals());
    });
  },
};
