import { input, password, select } from "@inquirer/prompts";

/** The kinds of questions of this program. The build leaves out the others, such as the one that opens an editor. */
export const prompts = { input, password, select };
