// For `require("qa-pay")`. Node loads the ES module itself, so there is one copy of the package in a process, and an error
// is an instance of the same class in both kinds of modules (docs/decisions/053-types-and-require.md). Node's own `require`
// is used, because test runners replace that of a file by one that knows no ES modules; Jest replaces that of its own `process` too.
const { getBuiltinModule } = require("node:vm").runInThisContext("process");
module.exports = getBuiltinModule("node:module").createRequire(__filename)("../dist/index.js");
