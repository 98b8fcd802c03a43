import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { fill } from "../../../../../base/kernel/message.js";
import { withoutAddress } from "../../../../../base/kernel/page-address.js";
import { useCall } from "../../api/use-call.js";
import { FoundText } from "../../parts/found.js";
import { Items } from "../../parts/items.js";
import { Page, Show } from "../../parts/page.js";
import { objectPage } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";

const words = texts("go");

/** Leads from any id, pasted address or other text to the page of its object; several objects are a list. */
export function Go({ id }: { id: string }) {
  const { route } = useLocation();
  const text = withoutAddress(id);
  const direct = objectPage(text);
  const { state } = useCall("sandbox.search", { query: { q: text } }, { when: direct === null });
  const found = state.value.data?.data;
  const only = found?.length === 1 ? objectPage(found[0]?.id ?? "") : null;
  const target = direct ?? only;
  useEffect(() => {
    if (target !== null) route(withBook(target), true);
  }, [target]);
  return (
    <Page title={terms.value.search} command={{ id: "sandbox.search", input: { query: { q: text } } }}>
      <Show of={state.value}>
        {({ data }) => (
          <Items
            of={data}
            class="lines"
            label={fill(words.value.found, { text })}
            none={<p>{fill(words.value.none, { text })}</p>}
          >
            {(found) => (
              <li key={found.id}>
                <a class="row" href={withBook(objectPage(found.id) ?? "/console/")}>
                  <FoundText of={found} />
                </a>
              </li>
            )}
          </Items>
        )}
      </Show>
    </Page>
  );
}
