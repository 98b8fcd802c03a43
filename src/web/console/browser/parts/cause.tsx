import { useEffect, useRef } from "preact/hooks";
import { type Resource, useCall } from "../api/use-call.js";
import { language } from "../state/language.js";
import { type WhyAnswer, whyPieces } from "../words/service-texts.js";
import { Icon } from "./icon.js";
import { ObjectLink } from "./values.js";

/** Reads why an object is in its present state, and again when the shown data of it is read anew. */
export function useWhy(id: string, shown: unknown, isWanted = true): Resource<WhyAnswer>["state"] {
  const { state, reload } = useCall("sandbox.why", { params: { id } }, { when: isWanted });
  const before = useRef(shown);
  useEffect(() => {
    if (isWanted && before.current !== null && before.current !== shown) reload();
    before.current = shown;
  }, [shown]);
  return state;
}

/** The delivery that a sentence names; null when there is none. */
function deliveryIn({ sentences }: WhyAnswer): string | null {
  return sentences.map(({ params }) => params.delivery).find((id) => typeof id === "string") ?? null;
}

/** The sentences without a frame. */
export function CauseText({ of }: { of: WhyAnswer }) {
  return whyPieces(of, language.value).map(({ text, isEnglish }, index) =>
    isEnglish ? (
      <span key={index} lang="en">
        {text}
      </span>
    ) : (
      text
    ),
  );
}

/** The sentence at the head of an object: the problem and the remedy. A failed webhook is highlighted. */
export function Cause({ of }: { of: WhyAnswer }) {
  const delivery = deliveryIn(of);
  const hasFailed = delivery !== null && !of.sentences.some(({ code }) => code === "not_sent");
  const sentences = (
    <p class={hasFailed ? undefined : "cause"}>
      <CauseText of={of} />
      {delivery === null ? null : <ObjectLink id={delivery} />}
    </p>
  );
  return hasFailed ? (
    <div class="cause t-trouble">
      <Icon name="alert-triangle" />
      {sentences}
    </div>
  ) : (
    sentences
  );
}
