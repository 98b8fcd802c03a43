import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isPaletteOpen, openOperation, visited } from "./palette-state.js";

/** The place of the palette and of the form of an operation. Both are loaded when somebody first opens them. */

/** A component that is loaded once it is wanted; null until it is there. */
function useLoaded<Props>(isWanted: boolean, load: () => Promise<ComponentType<Props>>): ComponentType<Props> | null {
  const loaded = useSignal<{ readonly Component: ComponentType<Props> } | null>(null);
  useEffect(() => {
    if (!isWanted || loaded.peek() !== null) return;
    void load().then((Component) => {
      loaded.value = { Component };
    });
  }, [isWanted]);
  return loaded.value?.Component ?? null;
}

const loadPalette = async () => (await import("./palette.js")).Palette;
const loadForm = async () => (await import("./operation-form.js")).OperationForm;

export function PalettePlace() {
  const { path } = useLocation();
  const id = openOperation.value;
  const Palette = useLoaded(isPaletteOpen.value, loadPalette);
  const Form = useLoaded(id !== null, loadForm);
  useEffect(() => visited(path), [path]);
  const closeForm = () => {
    openOperation.value = null;
  };
  if (id !== null && Form !== null) return <Form key={id} id={id} onClose={closeForm} />;
  return isPaletteOpen.value && Palette !== null ? <Palette /> : null;
}
