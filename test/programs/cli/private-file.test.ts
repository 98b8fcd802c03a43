import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { behindLinks, writePrivately } from "../../../src/programs/cli/files/private-file.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";

/**
 * Files with keys: they are written completely or not at all, for their owner alone, and not through a stranger's link.
 */

const folder = fresh(newFolder);

const at = (...names: string[]) => join(folder.path, ...names);

describe("a private file", () => {
  it("is replaced as a whole, and only its owner may read it", () => {
    writeFileSync(at("keys.json"), "old", { mode: 0o644 });
    writePrivately(at("keys.json"), "new", "1");
    expect([readFileSync(at("keys.json"), "utf8"), statSync(at("keys.json")).mode & 0o777]).toEqual(["new", 0o600]);
    expect(readdirSync(folder.path)).toEqual(["keys.json"]);
  });

  it("is not written through a link that another user has put in its place", () => {
    writeFileSync(at("precious"), "mine");
    symlinkSync(at("precious"), at("keys.json.1"));
    expect(() => writePrivately(at("keys.json"), "new", "1")).toThrow("EEXIST");
    symlinkSync(at("precious"), at("keys.json"));
    writePrivately(at("keys.json"), "new", "2");
    expect([readFileSync(at("precious"), "utf8"), readFileSync(at("keys.json"), "utf8")]).toEqual(["mine", "new"]);
  });

  it("leaves no temporary file when it cannot be replaced", () => {
    mkdirSync(at("keys.json", "full"), { recursive: true });
    expect(() => writePrivately(at("keys.json"), "new", "1")).toThrow("EISDIR");
    expect(readdirSync(folder.path)).toEqual(["keys.json"]);
  });
});

describe("the target of a link", () => {
  it("is the file at the end of all links, whether it is there or not", () => {
    mkdirSync(at("real"));
    symlinkSync(join("real", "keys.json"), at("second"));
    symlinkSync(at("second"), at("first"));
    expect(behindLinks(at("first"))).toBe(at("real", "keys.json"));
    expect(existsSync(at("real", "keys.json"))).toBe(false);
    expect(behindLinks(at("none"))).toBe(at("none"));
  });

  it("is an error when links form a circle", () => {
    symlinkSync(at("b"), at("a"));
    symlinkSync(at("a"), at("b"));
    expect(() => behindLinks(at("a"))).toThrow("too many links");
  });
});
