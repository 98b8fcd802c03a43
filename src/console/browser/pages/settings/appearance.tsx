import { Section } from "../../parts/page.js";
import { allowSingleKeys, singleKeys } from "../../shell/keyboard.js";
import { chooseDensity, DENSITIES, density } from "../../state/density.js";
import { chooseLanguage, language, texts } from "../../state/language.js";
import { chooseTheme, THEMES, theme } from "../../state/theme.js";

/** Choices about the page itself. This browser keeps them. */

const words = texts("settings");

interface ChoiceProps<Choice extends string> {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: Choice;
  readonly name: (choice: Choice) => string;
  readonly onChoose: (choice: Choice) => void;
}

function Choices<Choice extends string>({ label, choices, chosen, name, onChoose }: ChoiceProps<Choice>) {
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <button
          type="button"
          class="small"
          key={choice}
          aria-pressed={choice === chosen}
          onClick={() => onChoose(choice)}
        >
          {name(choice)}
        </button>
      ))}
    </fieldset>
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
        chosen={language.value}
        name={(choice) => LANGUAGES[choice]}
        onChoose={chooseLanguage}
      />
      <Choices
        label={value.theme}
        choices={THEMES}
        chosen={theme.value}
        name={(choice) => value.themes[choice]}
        onChoose={chooseTheme}
      />
      <Choices
        label={value.density}
        choices={DENSITIES}
        chosen={density.value}
        name={(choice) => value.densities[choice]}
        onChoose={chooseDensity}
      />
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
