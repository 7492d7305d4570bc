import { expect, test } from "vitest";
import { bodiesWithoutEndpoint } from "./pages-api";
import { AnswerReader } from "./wire";

test("every body of the fuzz belongs to a route", () => {
  expect(bodiesWithoutEndpoint()).toEqual([]);
});

test("answers are read completely, however they are split", () => {
  const bytes = Buffer.from(
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nx-a: b\r\n\r\n" +
      "HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\nX-A: b: c\r\n\r\ngoneHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\nto the end",
  );
  for (const size of [1, 2, 7, 30, bytes.length]) {
    const seen: string[] = [];
    const reader = new AnswerReader(({ status, body }) => seen.push(`${status} ${body}`));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    expect(seen).toEqual(["200 abcde", "404 gone", "204 ", "200 to the end"]);
  }
});
