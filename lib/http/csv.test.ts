import { expect, test } from "vitest";
import { csvOf } from "./csv";

test("cells are quoted where RFC 4180 asks for it, and every line ends in CRLF", () => {
  expect(
    csvOf(
      ["a", "b"],
      [
        { a: 'say "hi", twice', b: 1.5 },
        { a: "two\nlines", b: null },
      ],
    ),
  ).toBe('a,b\r\n"say ""hi"", twice",1.5\r\n"two\nlines",\r\n');
  expect(csvOf(["a"], [])).toBe("a\r\n");
});

// security: a name that a spreadsheet would run
test.each(["=1+1", "+1", "-1", "@sum", "\tx"])("the text %j is not left as a formula", (text) => {
  expect(csvOf(["a"], [{ a: text }])).toBe(`a\r\n'${text}\r\n`);
  expect(csvOf(["a"], [{ a: -1 }])).toBe("a\r\n-1\r\n");
});
