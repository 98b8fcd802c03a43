import { COMPONENTS, type JsonSchema } from "../openapi/schemas.js";

/**
 * Replaces references to named schemas by the schemas themselves. A tool's schema stands alone, and several agents accept
 * no references in it. No schema of the registry contains itself.
 */
export function inlined(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value as JsonSchema;
    const named = typeof $ref === "string" ? components[$ref.replace(COMPONENTS, "")] : undefined;
    const merged = { ...named, ...own };
    return Object.fromEntries(Object.entries(merged).map(([key, member]) => [key, whole(member)]));
  };
  return whole(schema) as JsonSchema;
}
