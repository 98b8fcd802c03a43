import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { QUICK_JAVA, testWith } from "../support/programs.js";
import { ownFolder } from "../support/shared.js";

/** The samples for Testcontainers can be read by their languages, without the packages that they import. */

const FOLDER = "examples/testcontainers";

function reads(program: string, words: readonly string[]): void {
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
}

/** Reads Java as its compiler does. */
const JAVA_READER = `import javax.tools.*; import com.sun.source.util.JavacTask;
class Reader { public static void main(String[] files) throws Exception {
  var compiler = ToolProvider.getSystemJavaCompiler(); var said = new DiagnosticCollector<JavaFileObject>();
  var manager = compiler.getStandardFileManager(said, null, null);
  ((JavacTask) compiler.getTask(null, manager, said, null, null, manager.getJavaFileObjects(files))).parse();
  said.getDiagnostics().forEach(System.err::println); System.exit(said.getDiagnostics().isEmpty() ? 0 : 1); } }`;

test("by Node", () => reads(process.execPath, ["--check", `${FOLDER}/node/pay.test.mjs`]));

testWith("python3", "by Python", () => {
  reads("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", `${FOLDER}/python/test_pay.py`]);
});

testWith("java", "by Java", () => {
  const reader = join(ownFolder().path, "Reader.java");
  writeFileSync(reader, JAVA_READER);
  reads("java", [...QUICK_JAVA, reader, `${FOLDER}/java/PayTest.java`]);
});
