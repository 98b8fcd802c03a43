import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { KeySheet } from "./key-sheet.js";
import { OperationForm } from "./operation-form.js";
import { Palette } from "./palette.js";
import { areKeysOpen, isPaletteOpen, openOperation, visited } from "./palette-state.js";

/** The place of the palette, of the sheet of keys, and of the form of an operation. */
export function PalettePlace() {
  const { path } = useLocation();
  const id = openOperation.value;
  useEffect(() => visited(path), [path]);
  const closeForm = () => {
    openOperation.value = null;
  };
  if (id !== null) return <OperationForm key={id} id={id} onClose={closeForm} />;
  if (areKeysOpen.value) return <KeySheet />;
  return isPaletteOpen.value ? <Palette /> : null;
}
