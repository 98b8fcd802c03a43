import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { commands } from "../../src/web/console/browser/facts/commands.js";
import { routes } from "../../src/web/console/browser/facts/routes.js";
import { asScript } from "../../src/web/console/browser/pages/scenarios/recording.js";
import { startEmulator } from "../support/emulator.js";
import { newFolder } from "../support/folder.js";
import { doThings, outcomeOn } from "../support/recorded.js";

const PROGRAM = join(process.cwd(), "bin/qa-pay.js");

const WAYS: Readonly<Record<string, (folder: string) => void>> = {
  "on the PATH": (folder) => symlinkSync(PROGRAM, join(folder, "qa-pay")),
  "found by npx": (folder) => {
    const npx = `#!/bin/sh\n[ "$1" = qa-pay ] && shift && exec node "${PROGRAM}" "$@"\n`;
    writeFileSync(join(folder, "npx"), npx, { mode: 0o755 });
  },
};

test.each(Object.keys(WAYS))(
  "what was done in a tab of the console is a script that runs in bash on another server, with qa-pay %s",
  async (way) => {
    const [first, second] = [await startEmulator({ frozen: true }), await startEmulator({ frozen: true })];
    const { path: folder, remove } = newFolder();
    try {
      const script = asScript(await doThings(first), routes, commands, "http://127.0.0.1:1");
      expect(script).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      writeFileSync(join(folder, "done.sh"), script);
      WAYS[way]?.(folder);
      const env = {
        PATH: `${folder}:${process.env.PATH}`,
        HOME: folder,
        QA_PAY_BASE_URL: second.url,
        QA_PAY_API_KEY: second.key,
      };
      await promisify(execFile)("bash", [join(folder, "done.sh")], { env, cwd: folder });
      const outcome = await outcomeOn(second);
      expect(outcome.cases).toHaveLength(1);
      expect(outcome).toEqual(await outcomeOn(first));
    } finally {
      remove();
      await first.close();
      await second.close();
    }
  },
);
