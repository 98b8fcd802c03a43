import { expect, it } from "vitest";
import { isLoopbackHost } from "../../../src/base/kernel/loopback.js";

it.each(["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("%s is this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each([
  "",
  "0.0.0.0",
  "::",
  "[::]",
  "[::1",
  "127.0.0.1.example.com",
  "localhost.example.com",
  "xlocalhost",
  "128.0.0.1",
  "127.0.0",
  "localhost\n",
])("%j is not this machine", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
