import { pick } from "../../../../base/kernel/pick.js";
import { t } from "../../../../base/kernel/wording.js";
import { type OwnPart, showAnswer } from "../../operation/show.js";
import { usage } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { writeNamed } from "../../terminal/named-file.js";
import { openWith } from "../../terminal/opener.js";
import { say } from "../../terminal/terminal-text.js";

function toStandardOutput(io: Io, content: Uint8Array, isOpened: boolean | undefined): void {
  if (isOpened) throw usage(t`--open needs a file: leave out --output -, or name one.`);
  if (io.isScreen)
    throw usage(
      t`This file is binary and would disturb the terminal: redirect it, as in \`… --output - > receipt.pdf\`.`,
    );
  io.out(content);
}

const FLAGS = {
  "--output <file>": "where to write it, - for standard output (default receipt-{id}.pdf)",
  "--open": "open it when it is written",
} as const;

/** Writes the receipt into a file, and opens it with `--open`. */
export const own: OwnPart<typeof FLAGS> = {
  flags: FLAGS,
  async show(call, text, { output, open }) {
    const { io, ids, flags } = call;
    if (flags.json) return showAnswer(call, text);
    // An id with slashes, such as `../x`, must not put the file into another folder.
    const name = output ?? `receipt-${(ids[0] ?? "").replace(/[/\\]/g, "_")}.pdf`;
    const content = Buffer.from(String(pick(JSON.parse(text), "base64")), "base64");
    if (name === "-") return toStandardOutput(io, content, open);
    const path = await writeNamed(io, name, content);
    if (!flags.quiet) io.out(say`${path}\n`);
    if (open) await openWith(io, path, t`it; the file is written.`);
  },
};
