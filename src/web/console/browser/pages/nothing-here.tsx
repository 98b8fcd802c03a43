import { Page } from "../parts/page.js";
import { openPalette } from "../shell/palette-state.js";
import { texts } from "../state/language.js";

const words = texts("nothing_here");

export function NothingHere() {
  return (
    <Page title={words.value.title} command={{ id: "sandbox.accounts.list", input: { query: {} } }}>
      <p>{words.value.text}</p>
      <p>
        <button type="button" onClick={openPalette}>
          {words.value.search}
        </button>
      </p>
    </Page>
  );
}
