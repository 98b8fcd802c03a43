import { Dialog } from "../parts/dialog.js";
import { terms, texts } from "../state/language.js";
import { SEARCH_KEYS } from "./keyboard.js";
import { MENU, menuWords } from "./menu.js";
import { closeOverlay } from "./palette-state.js";

const words = texts("key_sheet");

function Keys({ title, of }: { title: string; of: readonly (readonly [keys: readonly string[], text: string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="stack keys">
        {of.map(([keys, text]) => (
          <div key={text} class="level">
            <dt class="level">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** All keys of the console, by what they do. */
export function KeySheet() {
  const { value } = words;
  return (
    <Dialog title={value.title} onClose={closeOverlay}>
      <div class="key-columns">
        <Keys
          title={value.everywhere}
          of={[
            [[SEARCH_KEYS, "/"], value.search],
            [["?"], value.sheet],
            [["j", "k"], value.move],
            [["E"], value.error],
            [["c"], terms.value.copy_the_command],
            [["y"], value.address],
            [["p"], value.pay],
            [[">"], value.next_due],
          ]}
        />
        <Keys
          title={terms.value.pages}
          of={MENU.map(({ name, letter }) => [["g", letter], menuWords.value[name]] as const)}
        />
      </div>
      <p class="hint">{value.off}</p>
    </Dialog>
  );
}
