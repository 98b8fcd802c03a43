import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { OperationForm } from "./operation-form.js";
import { Palette } from "./palette.js";
import { isPaletteOpen, openOperation, visited } from "./palette-state.js";

/** The place of the palette and of the form of an operation. */
export function PalettePlace() {
  const { path } = useLocation();
  const id = openOperation.value;
  useEffect(() => visited(path), [path]);
  const closeForm = () => {
    openOperation.value = null;
  };
  if (id !== null) return <OperationForm key={id} id={id} onClose={closeForm} />;
  return isPaletteOpen.value ? <Palette /> : null;
}
