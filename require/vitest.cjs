// For TypeScript projects that compile `import` of "qa-pay/vitest" as CommonJS. Vitest itself cannot be required: it loads
// test files as ES modules.
throw new Error('qa-pay/vitest needs Vitest, which has no CommonJS form. Use `import { test } from "qa-pay/vitest"`.');
