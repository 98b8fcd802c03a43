import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { movedTo } from "../words/moved.js";

/** Leads from an old address to where its content is now. The old one leaves no entry in the history. */
export function Moved() {
  const { path, query, route } = useLocation();
  const target = movedTo(path, query);
  useLayoutEffect(() => {
    if (target !== null) route(target, true);
  }, [target]);
  return null;
}
