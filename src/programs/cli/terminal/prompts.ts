import { confirm, input, password, select } from "@inquirer/prompts";

/** The questions that are asked. The build leaves out the others, such as the one that opens an editor. */
export const prompts = { confirm, input, password, select };
