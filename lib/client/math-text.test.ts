import { expect, test } from "vitest";
import { hasMath, withMath } from "./math-text";

test.each([
  ["so $x^2$ is", "so $$x^2$$ is"],
  ["so \\(x^2\\) is", "so $$x^2$$ is"],
  ["thus\\[ a = b \\]then", "thus\n\n$$\na = b\n$$\n\nthen"],
  ["$$a = b$$", "$$a = b$$"],
  ["between $5 and $10", "between $5 and $10"],
  ["for 5$ or 10$", "for 5$ or 10$"],
  ["`$a$` and `\\(b\\)`", "`$a$` and `\\(b\\)`"],
  ["```sh\necho $a $b\n```\n$c$", "```sh\necho $a $b\n```\n$$c$$"],
  ["```sh\necho $a$b", "```sh\necho $a$b"],
])("%j is read as %j", (text, read) => {
  expect(withMath(text)).toBe(read);
});

test("only what may have a formula loads what reads them", () => {
  expect(["a = b", "(a) [b]", "$5", "\\(a\\)", "\\[a\\]"].map(hasMath)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test("a long text of dollars is read at once", () => {
  const began = performance.now();
  withMath("$a ".repeat(20_000));
  withMath("\\[".repeat(20_000));
  withMath("`".repeat(20_001));
  expect(performance.now() - began).toBeLessThan(5000);
});
