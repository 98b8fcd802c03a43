import { describe, expect, it } from "vitest";
import { mayBePlain, parseHost, parseHostPattern } from "../../../src/base/kernel/parse-host.js";

describe("a host of the option", () => {
  it.each([
    ["shop", "shop"],
    ["SHOP.internal.", "shop.internal"],
    ["my_shop", "my_shop"],
    ["loja-pão", "xn--loja-po-2wa"],
    ["10.0.0.7", "10.0.0.7"],
    ["169.254.169.254", "169.254.169.254"],
    ["fd00:0:0::7", "[fd00::7]"],
    ["[FE80::1]", "[fe80::1]"],
    ["::ffff:169.254.169.254", "[::ffff:a9fe:a9fe]"],
  ])("%s counts as %s", (text, host) => expect([parseHost(text), parseHostPattern(text)]).toEqual([host, host]));

  it.each([
    ...[
      "",
      " ",
      "shop ",
      "a b",
      "http://shop",
      "shop:3000",
      "shop/",
      "shop?",
      "shop#x",
      "user@shop",
      "sh%6Fp",
      "shop\\x",
    ],
    ...["*", "*.", "*.*", "shop*", "a.*.b", "*shop", "**.internal"],
    // Addresses in another form than their own.
    ...[
      "0xa9fea9fe",
      "2852039166",
      "169.254.43518",
      "0251.254.169.254",
      "169.254.169.254.",
      "１６９.254.169.254",
      "1.2.3",
    ],
    ...["fe80::1%eth0", "[fe80::1%25eth0]", "[::1", "::1]", "1:2", "256.1.1.1"],
  ])("%j is none", (text) => expect([parseHost(text), parseHostPattern(text)]).toEqual([null, null]));

  it("is a suffix where several are meant, but no suffix of addresses", () => {
    expect(parseHostPattern("*.Internal")).toBe("*.internal");
    expect(parseHost("*.internal")).toBeNull();
    for (const text of ["*.254", "*.169.254", "*.169.254.169.254", "*.0xfe", "*.::1", "*.[::1]"]) {
      expect(parseHostPattern(text)).toBeNull();
    }
  });
});

describe("webhooks may go by http://", () => {
  const allowed = ["shop", "*.internal", "10.0.0.7", "[fd00::7]"];
  const may = (url: string, given = allowed) => mayBePlain(new URL(url).hostname, given);

  it.each([
    ...["http://localhost", "http://127.0.0.1", "http://127.1", "http://0x7f.1", "http://2130706433", "http://[::1]"],
    ...["http://shop", "http://SHOP", "http://shop.", "http://sh%6Fp", "http://a.internal", "http://a.b.INTERNAL."],
    ...["http://10.0.0.7", "http://0x0a.7", "http://[fd00:0::7]"],
  ])("to %s", (url) => expect(may(url)).toBe(true));

  it.each([
    ...[
      "http://localhost.",
      "http://xshop",
      "http://shop.test",
      "http://sub.shop",
      "http://internal",
      "http://.internal",
    ],
    ...["http://internal.test", "http://ainternal", "http://a.internal.test", "http://10.0.0.70", "http://[fd00::70]"],
    ...["http://169.254.169.254", "http://2852039166", "http://0xa9fea9fe", "http://169.254.169.254."],
    ...[
      "http://[::ffff:169.254.169.254]",
      "http://[fe80::1]",
      "http://[fd00:ec2::254]",
      "http://0.0.0.0",
      "http://[::]",
    ],
    ...["http://[::ffff:10.0.0.7]", "http://[::ffff:127.0.0.1]", "http://128.0.0.1"],
  ])("but not to %s", (url) => expect(may(url)).toBe(false));

  it("to a link-local or metadata address itself, in any form that a URL has for it", () => {
    expect(may("http://2852039166", ["169.254.169.254"])).toBe(true);
    expect(may("http://169.254.169.253", ["169.254.169.254"])).toBe(false);
    expect(may("http://[fd00:ec2:0::254]", ["[fd00:ec2::254]"])).toBe(true);
  });
});
