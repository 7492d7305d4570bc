import { expect, it } from "vitest";
import { readShortcut } from "./shortcut";

const press = (key: string, more: object = {}) => ({
  key,
  hasCommand: false,
  hasAlt: false,
  isBusy: false,
  ...more,
});

it("reads the palette, the list of shortcuts, and g followed by a letter", () => {
  expect(readShortcut(press("k", { hasCommand: true }), false)).toEqual({ do: "palette" });
  expect(readShortcut(press("/"), false)).toEqual({ do: "search" });
  expect(readShortcut(press("?"), false)).toEqual({ do: "shortcuts" });
  expect(readShortcut(press("g"), false)).toEqual({ do: "wait" });
  expect(readShortcut(press("u"), true)).toEqual({ do: "go", letter: "u" });
});

it("ignores keys while the user types, and the browser's own shortcuts", () => {
  for (const key of ["g", "/", "?", "u"])
    expect(readShortcut(press(key, { isBusy: true }), true)).toBeNull();
  expect(readShortcut(press("k", { hasCommand: true, isBusy: true }), false)).toEqual({
    do: "palette",
  });
  expect(readShortcut(press("r", { hasCommand: true }), true)).toBeNull();
  expect(readShortcut(press("u"), false)).toBeNull();
});
