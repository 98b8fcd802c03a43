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
  readonly names: Readonly<Record<Choice, string>>;
  readonly chosen: Signal<Choice>;
  readonly choose: (choice: Choice) => void;
}

function Choices<Choice extends string>({ label, names, chosen, choose }: ChoiceProps<Choice>) {
  return (
    <Toggles
      of={(Object.keys(names) as Choice[]).map((name) => ({ name, words: names[name], isOn: name === chosen.value }))}
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
      <Choices label={value.language} names={LANGUAGES} chosen={language} choose={chooseLanguage} />
      <Choices label={value.theme} names={value.themes} {...theme} />
      <Choices label={value.density} names={value.densities} {...density} />
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
