import { signal } from "@preact/signals";
import { storeChoice, storedChoice } from "./stored-choices.js";

/** The looks of the page. Styles read choices from attributes, because the policy forbids inline styles. */
function look<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) {
  const chosen = signal<Choice>(storedChoice(name, choices) ?? choices[0]);
  const apply = () => {
    document.documentElement.dataset[name] = chosen.value;
  };
  const choose = (choice: Choice) => {
    chosen.value = choice;
    storeChoice(name, choice);
    apply();
  };
  return { choices, chosen, apply, choose };
}

export const theme = look("theme", ["auto", "light", "dark"]);

/** The space that tables take. */
export const density = look("density", ["roomy", "tight"]);
