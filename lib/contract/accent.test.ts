import { expect, test } from "vitest";
import { accentPair, accentProblem, accentSheet } from "./accent";

/** Colours all around the wheel, from black to white. */
const colours = ["00", "33", "66", "99", "cc", "ff"].flatMap((red, _, parts) =>
  parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
);

test("a colour that is allowed on the pages of one theme has a partner that is allowed on the other's", () => {
  const [light, dark] = (["light", "dark"] as const).map((theme) =>
    colours.filter((colour) => accentProblem(colour, theme) === null),
  );
  expect([light?.length, dark?.length].every((count) => count && count > 20)).toBe(true);
  for (const colour of light ?? [])
    expect(accentProblem(accentPair({ light: colour, dark: null })?.dark ?? "", "dark")).toBeNull();
  for (const colour of dark ?? [])
    expect(
      accentProblem(accentPair({ light: null, dark: colour })?.light ?? "", "light"),
    ).toBeNull();
});

test("a colour that cannot be read is refused with its contrast, and a word is no colour", () => {
  expect(accentProblem("#ffe000", "light")).toBe("it has 1.19:1");
  expect(accentProblem("#1a56db", "light")).toBeNull();
  expect(accentProblem("#1a56db", "dark")).toMatch(/^it has [23]\.\d+:1$/);
  for (const colour of ["blue", "#fff", "#1a56db;}", "url(x)"])
    expect(accentProblem(colour, "light")).toBe("it is not written like that");
});

test("the style sheet has the rules of both themes, and there is none without a colour", () => {
  const sheet = accentSheet({ light: "#1a56db", dark: null });
  expect(sheet).toContain(':root:not([data-theme="dark"]){--signal:#1a56db;');
  expect(sheet).toMatch(/:root\[data-theme="dark"\]\{--signal:#[0-9a-f]{6};/);
  expect(accentSheet({ light: null, dark: null })).toBeNull();
});
