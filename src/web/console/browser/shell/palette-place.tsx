import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { KeySheet } from "./key-sheet.js";
import { OperationForm } from "./operation-form.js";
import { Palette } from "./palette.js";
import { overlay, visited } from "./palette-state.js";

/** The place of the palette, of the sheet of keys, and of the form of an operation. */
export function PalettePlace() {
  const { path } = useLocation();
  const { value } = overlay;
  useEffect(() => visited(path), [path]);
  if (value === "palette") return <Palette />;
  if (value === "keys") return <KeySheet />;
  return value && <OperationForm key={value.operation} id={value.operation} />;
}
