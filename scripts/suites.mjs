// @ts-check
import { JUNIT } from "./programs.mjs";

/** The suites of examples/suites: small shops with their tests, in each language. */

/**
 * @typedef {object} Suite
 * @property {string} language
 * @property {string} folder Within examples/suites.
 * @property {string} receiver Within examples/receivers. It is put beside the tests.
 * @property {readonly import("./programs.mjs").ProgramName[]} [programs] What it needs besides Node.
 * @property {readonly string[]} [build] A command that comes first.
 * @property {readonly (readonly [string, ...string[]])[]} runs Commands that run the tests, at the same time.
 * @property {readonly string[]} says What they print, so that a run without tests does not pass.
 */

/** @type {readonly Suite[]} */
export const SUITES = [
  {
    language: "Node, node:test",
    folder: "node",
    receiver: "node/with-package.mjs",
    runs: [[process.execPath, "--test", "--test-reporter=tap"]],
    says: ["# pass 4"],
  },
  {
    language: "Python, pytest with xdist",
    folder: "python",
    receiver: "python/receiver.py",
    programs: ["pytest-3"],
    runs: [["pytest-3", "-n", "2", "-q"]],
    says: ["8 passed"],
  },
  {
    // Debian has no ParaTest, which starts such processes by itself.
    language: "PHP, PHPUnit in parallel processes",
    folder: "php",
    receiver: "php/receiver.php",
    programs: ["php", "phpunit"],
    runs: [
      ["phpunit", "PaymentTest.php"],
      ["phpunit", "IsolationTest.php"],
      ["phpunit", "ReceiverTest.php"],
    ],
    says: ["OK (2 tests, 5 assertions)", "OK (2 tests, 4 assertions)", "OK (4 tests, "],
  },
  {
    language: "Ruby, RSpec with parallel_tests",
    folder: "ruby",
    receiver: "ruby/receiver.rb",
    programs: ["ruby", "rspec", "parallel_rspec"],
    runs: [["parallel_rspec", "-n", "2", "isolation_spec.rb", "payment_spec.rb", "receiver_spec.rb"]],
    says: ["8 examples, 0 failures"],
  },
  {
    language: "Go, testing",
    folder: "go",
    receiver: "go/receiver.go",
    programs: ["go"],
    runs: [["go", "test", "-count=1", "-vet=off", "-v", "-exec", "qa-pay exec --frozen --", "./..."]],
    says: [
      "PASS: TestAnOrderIsPaidWhenTheWebhookSaysSo",
      "PASS: TestAnOrderIsCancelledWhenItsChargeExpires",
      "PASS: TestEveryTestBeginsWithAnEmptyEmulator",
      "PASS: TestACollectedWebhookIsGenuineAfterAnAdvance",
      "PASS: TestReceiver/a_genuine_webhook_is_believed",
    ],
  },
  {
    language: "Java, JUnit",
    folder: "java",
    receiver: "java/Receiver.java",
    programs: ["java", "junit"],
    build: ["javac", "-cp", JUNIT, "-sourcepath", ".", "PaymentTest.java", "IsolationTest.java", "ReceiverTest.java"],
    runs: [["java", "-jar", JUNIT, "-cp", ".", "--scan-classpath", ".", "--details=summary"]],
    says: ["8 tests successful", "0 tests failed"],
  },
];
