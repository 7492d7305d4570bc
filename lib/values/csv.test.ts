import { expect, test } from "vitest";
import { csvLine, csvOf } from "./csv";

test("a record follows RFC 4180: commas, quotes and line ends are quoted, the line ends in CRLF", () => {
  expect(csvLine(["a", 5, null, 'say "hi"', "x,y", "two\nlines", " b "])).toBe(
    'a,5,,"say ""hi""","x,y","two\nlines", b \r\n',
  );
});

test("no text becomes a formula in a spreadsheet, and amounts stay numbers", () => {
  expect(csvLine(["=1+1", "+1", "-cmd|x", "@SUM(A1)", "\t=1", "-12.500000", -3])).toBe(
    "'=1+1,'+1,'-cmd|x,'@SUM(A1),'\t=1,-12.500000,-3\r\n",
  );
  expect(csvLine(["=cmd", "\r=1", "＝1+1", "＋1", "－1", "＠SUM(A1)", "-1e9", "--1", "- 1"])).toBe(
    "'=cmd,\"'\r=1\",'＝1+1,'＋1,'－1,'＠SUM(A1),'-1e9,'--1,'- 1\r\n",
  );
  expect(csvLine(['=HYPERLINK("http://a","b")'])).toBe('"\'=HYPERLINK(""http://a"",""b"")"\r\n');
});

test("a table is a header line and its rows, also without rows", () => {
  const rows = [{ a: 'say "hi", twice', b: 1.5 }, { a: "two\nlines", b: null }, { b: -1 }];
  expect(csvOf(["a", "b"], rows)).toBe(
    'a,b\r\n"say ""hi"", twice",1.5\r\n"two\nlines",\r\n,-1\r\n',
  );
  expect(csvOf(["a"], [])).toBe("a\r\n");
});
