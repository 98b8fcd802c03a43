// For `require("qa-pay")`. It is the file that `import` takes too, so there is one copy of the package in a process, and an error
// is an instance of the same class in both kinds of modules (docs/decisions/053-types-and-require.md). Node's own `require`
// is used, because test runners load a copy for each test file by theirs; Jest replaces that of its own `process` too.
const { getBuiltinModule } = require("node:vm").runInThisContext("process");
module.exports = getBuiltinModule("node:module").createRequire(__filename)("../dist/index.cjs");
