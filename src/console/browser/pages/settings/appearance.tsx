import type { Signal } from "@preact/signals";
import { Section } from "../../parts/page.js";
import { Toggles } from "../../parts/toggles.js";
import { allowSingleKeys, singleKeys } from "../../shell/keyboard.js";
import { chooseLanguage, language, texts } from "../../state/language.js";
import { density, theme } from "../../state/looks.js";

/** Choices about the page itself. This browser keeps them. */

const words = texts("settings");

interface ChoiceProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: Signal<Choice>;
  readonly name: (choice: Choice) => string;
  readonly choose: (choice: Choice) => void;
}

function Choices<Choice extends string>({ label, choices, chosen, name, choose }: ChoiceProps<Choice>) {
  return (
    <Toggles
      of={choices.map((choice) => ({ name: choice, words: name(choice), isOn: choice === chosen.value }))}
      onPress={(pressed) => choose(pressed as Choice)}
    >
      <legend>{label}</legend>
    </Toggles>
  );
}

const LANGUAGES = { en: "English", "pt-BR": "Português" } as const;

export function Appearance() {
  const { value } = words;
  return (
    <Section title={value.appearance}>
      <Choices
        label={value.language}
        choices={["en", "pt-BR"]}
        chosen={language}
        name={(choice) => LANGUAGES[choice]}
        choose={chooseLanguage}
      />
      <Choices label={value.theme} {...theme} name={(choice) => value.themes[choice]} />
      <Choices label={value.density} {...density} name={(choice) => value.densities[choice]} />
      <label class="choice">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => allowSingleKeys(currentTarget.checked)}
        />{" "}
        {value.single_keys}
      </label>
      <p class="hint">{value.single_keys_about}</p>
    </Section>
  );
}
