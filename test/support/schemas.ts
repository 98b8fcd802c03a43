import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Loose } from "./emulator.js";

/** Holds values against schemas of an OpenAPI document, as a program of somebody else would. Returns what is wrong. */
export function faultsBy(document: Loose): (schema: Loose, value: unknown) => readonly ErrorObject[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  // Known by a name, so that a schema which many refer to is compiled once.
  ajv.addSchema({ $id: "document", components: { schemas: document.components.schemas } });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const named = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = compiled.get(named) ?? ajv.compile(JSON.parse(named));
    compiled.set(named, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  };
}
