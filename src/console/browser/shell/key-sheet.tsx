import { Dialog } from "../parts/dialog.js";
import { texts } from "../state/language.js";
import { SEARCH_KEYS } from "./keyboard.js";
import { MENU, menuWords } from "./menu.js";
import { areKeysOpen } from "./palette-state.js";

const words = texts(
  {
    title: "Keys",
    pages: "Pages",
    everywhere: "Everywhere",
    search: "Search or run a command",
    sheet: "Show these keys",
    move: "Next and previous row",
    error: "Next error on the page",
    command: "Copy the command",
    address: "Copy the address",
    off: "Single keys can be switched off in the settings. They never act while you write.",
  },
  {
    title: "Teclas",
    pages: "Páginas",
    everywhere: "Em toda parte",
    search: "Buscar ou executar um comando",
    sheet: "Mostrar estas teclas",
    move: "Linha seguinte e anterior",
    error: "Próximo erro da página",
    command: "Copiar o comando",
    address: "Copiar o endereço",
    off: "As teclas simples podem ser desligadas nas configurações. Elas nunca agem enquanto você escreve.",
  },
);

function Keys({ title, of }: { title: string; of: readonly (readonly [keys: readonly string[], text: string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {of.map(([keys, text]) => (
          <div key={text}>
            <dt>
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
  const close = () => {
    areKeysOpen.value = false;
  };
  return (
    <Dialog title={value.title} onClose={close}>
      <div class="key-columns">
        <Keys
          title={value.everywhere}
          of={[
            [[SEARCH_KEYS, "/"], value.search],
            [["?"], value.sheet],
            [["j", "k"], value.move],
            [["E"], value.error],
            [["c"], value.command],
            [["y"], value.address],
          ]}
        />
        <Keys
          title={value.pages}
          of={MENU.map(({ name, letter }) => [["g", letter], menuWords.value[name]] as const)}
        />
      </div>
      <p class="hint">{value.off}</p>
    </Dialog>
  );
}
