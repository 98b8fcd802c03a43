import { describe, expect, it } from "vitest";
import { isEmailAddress } from "../../../src/base/kernel/email.js";

describe("an e-mail address", () => {
  it.each([
    "maria@example.com",
    "MARIA@EXAMPLE.COM",
    "a@b",
    "root@localhost",
    "maria.silva+loja@sub.example.com.br",
    "o'brien_1%x@example.io",
    "!#$%&'*+-/=?^_`{|}~@example.com",
    "1@2.com",
    "-@example.com",
    "a@x-y.co",
    "a@xn--bcher-kva.example",
    "a@3com.com",
    `a@${"x".repeat(63)}.com`,
    `${"long.".repeat(20)}local@example.com`,
    '"maria silva"@example.com',
    '"maria..silva"@example.com',
    '"a@b"@example.com',
    '"(no comment)"@example.com',
    '"say \\"hello\\""@example.com',
    '""@example.com',
    "maria@[192.168.0.1]",
    "maria@[IPv6:2001:db8::1]",
    "john(comment)@example.com",
    "(comment)john@example.com",
    "john@(comment)example.com",
    "john@example.com(comment)",
    "john@example.com (John Smith)",
    "john (a comment) @example.com",
    "john(one)(two (in (one)) here)@example.com",
    "john(a \\) in it)@example.com",
    "john(a @ in it)@example.com",
  ])("is valid: %s", (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    "",
    "@",
    "maria",
    "maria@",
    "@example.com",
    "maria@@example.com",
    "maria@example.com@example.com",
    "maria..silva@example.com",
    ".maria@example.com",
    "maria.@example.com",
    "maria@example..com",
    "maria@.example.com",
    "maria@example.com.",
    "maria silva@example.com",
    "maria @example.com",
    "maria@ example.com",
    "maria@exa mple.com",
    " maria@example.com",
    "maria@example.com ",
    "maria@example.com\n",
    "\tmaria@example.com",
    " (comment)maria@example.com",
    "Maria <maria@example.com>",
    "<maria@example.com>",
    "mailto:maria@example.com",
    "a@b.com, c@d.com",
    "ü@example.com",
    "a@bücher.example",
    "a@example.com\u0000",
    "a@-x.co",
    "a@x-.co",
    "a@x.-co",
    "a@x.co-",
    "a@ex_ample.com",
    "a@exam!ple.com",
    `a@${"x".repeat(64)}.com`,
    `a@${"x.".repeat(127)}com`,
    "maria(comment@example.com",
    "maria)comment(@example.com",
    "maria@example.com(",
    "(comment)",
    "jo(hidden)hn@example.com",
    '"maria@example.com',
    'maria"@example.com',
    '"maria"silva@example.com',
    '"maria\\"@example.com',
    "maria@[192.168.0.256]",
    "maria@[300]",
    "maria@[IPv6:nonsense]",
    "maria@[2001:db8::1]",
    "maria@[192.168.0.1",
  ])("is invalid: %o", (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  it("is checked in one pass, however long the text is", () => {
    for (const text of [
      "(".repeat(500_000),
      "()".repeat(500_000),
      "a.".repeat(500_000),
      `"${"\\".repeat(500_000)}`,
      "a@-".repeat(300_000),
    ]) {
      expect(isEmailAddress(text)).toBe(false);
    }
  });
});
