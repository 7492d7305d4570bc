import { describe, expect, it } from "vitest";
import { safeCallbackPath } from "./callback-url";

const origin = "https://relay.example";

describe("the address after sign-in", () => {
  it.each([
    ["/points?kind=credits#keys", "/points?kind=credits#keys"],
    ["https://relay.example/settings", "/settings"],
    [null, "/points"],
    ["", "/points"],
  ])("leads %s to %s", (wanted, path) => {
    expect(safeCallbackPath(wanted, origin)).toBe(path);
  });

  it.each([
    "https://evil.example/points",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,hi",
    "https://relay.example@evil.example/",
    "https://relay.example.evil.example/",
    "http://relay.example/points",
    "/.//evil.example",
    "/a/..//evil.example",
    " //evil.example",
    "\t//evil.example",
    "/login?callbackUrl=/login",
    "http://[",
  ])("never leads to another site: %s", (wanted) => {
    const path = safeCallbackPath(wanted, origin);
    expect(new URL(path, origin).origin).toBe(origin);
    expect(path).toBe("/points");
  });
});
