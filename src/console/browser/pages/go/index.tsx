import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { withoutAddress } from "../../../../kernel/page-address.js";
import { useCall } from "../../api/use-call.js";
import { Page, Show } from "../../parts/page.js";
import { withBook } from "../../state/book.js";
import { language, texts } from "../../state/language.js";
import { foundText } from "../../words/found-texts.js";
import { objectPage } from "../../words/object-page.js";

const words = texts(
  {
    title: "Search",
    none: (text: string) =>
      `Nothing fits “${text}” in this account and mode. Ids, end-to-end ids, txids, tax ids, names, e-mails, amounts and texts of metadata are searched.`,
    found: (text: string) => `Objects for “${text}”`,
  },
  {
    title: "Busca",
    none: (text) =>
      `Nada corresponde a “${text}” nesta conta e neste modo. São buscados ids, end-to-end ids, txids, CPF/CNPJ, nomes, e-mails, valores e textos de metadata.`,
    found: (text) => `Objetos para “${text}”`,
  },
);

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
    <Page title={words.value.title} command={{ id: "sandbox.search", input: { query: { q: text } } }}>
      <Show of={state.value}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.value.none(text)}</p>
          ) : (
            <ul class="plain" aria-label={words.value.found(text)}>
              {data.map((found) => (
                <li key={found.id}>
                  <a class="row" href={withBook(objectPage(found.id) ?? "/console/")}>
                    {found.id}
                  </a>{" "}
                  {foundText(found, language.value)}
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Page>
  );
}
