/** Bodies of doubtful length or form: none may be read as another request. */
import { answered, closing, get, harmless, post, type RawCase, refused } from "./raw-case";

const chat = '{"model":"relay-v1","messages":[{"role":"user","content":"Hi"}],"max_tokens":8}';
const inner = "GET /v1/balance HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer KEY\r\n\r\n";

export const rawBodies: readonly RawCase[] = [
  answered(
    "Expect: 100-continue",
    post(
      "/v1/chat/completions",
      `${closing}expect: 100-continue\r\ncontent-length: ${chat.length}\r\n`,
      chat,
    ),
  ),
  answered("Expect: something else", get("/v1/models", "expect: a-cake\r\n")),
  answered(
    "trailers",
    post(
      "/v1/quote",
      `${closing}transfer-encoding: chunked\r\ntrailer: x-a\r\n`,
      "2\r\n{}\r\n0\r\nx-a: b\r\n\r\n",
    ),
  ),
  harmless(
    "extensions of chunks",
    post(
      "/v1/quote",
      `${closing}transfer-encoding: chunked\r\n`,
      `2;${"a".repeat(9000)}\r\n{}\r\n0\r\n\r\n`,
    ),
  ),
  refused(
    "a chunk of negative size",
    post("/v1/quote", "transfer-encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n"),
  ),
  refused(
    "a chunk of giant size",
    post("/v1/quote", "transfer-encoding: chunked\r\n", "ffffffffffffffffff\r\n{}"),
  ),
  answered(
    "gzip",
    post("/v1/quote", `${closing}content-encoding: gzip\r\ncontent-length: 2\r\n`, "{}"),
  ),
  answered(
    "a length and a body of more",
    post("/v1/quote", "content-length: 2\r\n", `{}${inner}`),
    { answersMax: 2 },
  ),
  refused("a length of words", post("/v1/quote", "content-length: two\r\n", "{}")),
  refused("a length below zero", post("/v1/quote", "content-length: -2\r\n", "{}")),
  refused(
    "two lengths",
    post("/v1/quote", "content-length: 2\r\ncontent-length: 200\r\n", `{}${inner}`),
    { answersMax: 1 },
  ),
  refused(
    "a length and chunks",
    post("/v1/quote", "content-length: 5\r\ntransfer-encoding: chunked\r\n", `0\r\n\r\n${inner}`),
    { answersMax: 1 },
  ),
  refused(
    "chunks by another name",
    post("/v1/quote", "transfer-encoding: xchunked\r\n", `0\r\n\r\n${inner}`),
    { answersMax: 1 },
  ),
  refused(
    "chunks twice",
    post(
      "/v1/quote",
      "transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n",
      `0\r\n\r\n${inner}`,
    ),
    { answersMax: 1 },
  ),
  answered("a GET with a body", `${get("/v1/models", "content-length: 4\r\n")}abcd`, {
    answersMax: 1,
  }),
  answered("a page with a body", `${get("/pricing", "content-length: 4\r\n")}abcd`, {
    answersMax: 1,
  }),
];
