import { expect, test } from "vitest";
import { cleanHeaders } from "./extra-headers";

test("names are kept in lower case, and values without the space at their ends", () => {
  expect(cleanHeaders({ "Anthropic-Beta": " a, b ", "user-agent": "x" })).toEqual({
    "anthropic-beta": "a, b",
    "user-agent": "x",
  });
});

test.each([
  ...["Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Host"],
  ...["Content-Length", "Content-Type", "Proxy-Connection", "Expect"],
  ...["Authorization", "Proxy-Authorization", "X-Api-Key", "api-key", "x-goog-api-key", "Cookie"],
  ...["Accept-Encoding", "Idempotency-Key", "traceparent"],
  ...["", "a b", "a:b", "a\r\nb", "é", "n".repeat(65)],
])("%j is refused as a name, and the message names it", (name) => {
  expect(() => cleanHeaders({ [name]: "x" })).toThrow(
    expect.objectContaining({ code: "invalid_value", param: "headers" }),
  );
});

test.each(["", " ", "a\r\nx: 1", "a\u0000", "é", "v".repeat(1001)])(
  "%j is refused as a value",
  (value) => {
    expect(() => cleanHeaders({ "x-a": value })).toThrow(/x-a/);
  },
);

test("more than 20 are refused, and one name in two cases", () => {
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, "1"]));
  expect(() => cleanHeaders(many)).toThrow(/21 entries/);
  expect(() => cleanHeaders({ "x-a": "1", "X-A": "2" })).toThrow(/x-a twice/);
});
