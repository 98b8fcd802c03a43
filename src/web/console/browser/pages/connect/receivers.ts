import go from "../../../../../../examples/receivers/go/receiver.go?raw";
import java from "../../../../../../examples/receivers/java/Receiver.java?raw";
import node from "../../../../../../examples/receivers/node/receiver.mjs?raw";
import php from "../../../../../../examples/receivers/php/receiver.php?raw";
import python from "../../../../../../examples/receivers/python/receiver.py?raw";
import ruby from "../../../../../../examples/receivers/ruby/receiver.rb?raw";

/** The receivers of the package (examples/receivers), which its checks run, as files with the secret in them. Pure. */

interface Receiver {
  readonly file: string;
  /** Starts it at port 3000. */
  readonly run: string;
  readonly text: string;
  /** The code that reads the secret, and the same with a secret of its own; `$` stands for it. */
  readonly reads: string;
  readonly has: string;
}

const RECEIVERS = {
  Node: {
    file: "receiver.mjs",
    run: "node receiver.mjs",
    text: node,
    reads: 'process.env.QA_PAY_WEBHOOK_SECRET ?? ""',
    has: 'process.env.QA_PAY_WEBHOOK_SECRET ?? "$"',
  },
  Python: {
    file: "receiver.py",
    run: "python3 receiver.py",
    text: python,
    reads: 'os.environ.get("QA_PAY_WEBHOOK_SECRET", "")',
    has: 'os.environ.get("QA_PAY_WEBHOOK_SECRET", "$")',
  },
  PHP: {
    file: "receiver.php",
    run: "php -S 127.0.0.1:3000 receiver.php",
    text: php,
    reads: "getenv('QA_PAY_WEBHOOK_SECRET') ?: ''",
    has: "getenv('QA_PAY_WEBHOOK_SECRET') ?: '$'",
  },
  Go: {
    file: "receiver.go",
    run: "go run receiver.go",
    text: go,
    reads: 'os.Getenv("QA_PAY_WEBHOOK_SECRET")',
    has: '"$"',
  },
  Ruby: {
    file: "receiver.rb",
    run: "ruby receiver.rb",
    text: ruby,
    reads: 'ENV.fetch("QA_PAY_WEBHOOK_SECRET", "")',
    has: 'ENV.fetch("QA_PAY_WEBHOOK_SECRET", "$")',
  },
  Java: {
    file: "Receiver.java",
    run: "java Receiver.java",
    text: java,
    reads: 'getOrDefault("QA_PAY_WEBHOOK_SECRET", "")',
    has: 'getOrDefault("QA_PAY_WEBHOOK_SECRET", "$")',
  },
} as const satisfies Record<string, Receiver>;

export type ReceiverLanguage = keyof typeof RECEIVERS;

/** The receiver in a language as a file that knows the secret, and the command that starts it. */
export function receiverIn(language: ReceiverLanguage, secret: string) {
  const { file, run, text, reads, has } = RECEIVERS[language];
  return { file, run, text: text.replace(reads, () => has.replace("$", () => secret)) };
}
