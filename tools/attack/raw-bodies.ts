/** Bodies of doubtful length or form: none may be read as another request. */
import { closing, get, post, type RawCase } from "./raw-case";

const chat = '{"model":"relay-v1","messages":[{"role":"user","content":"Hi"}],"max_tokens":8}';
const inner = "GET /v1/balance HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer KEY\r\n\r\n";

export const rawBodies: readonly RawCase[] = [
  {
    name: "Expect: 100-continue",
    bytes: post(
      "/v1/chat/completions",
      `${closing}expect: 100-continue\r\ncontent-length: ${chat.length}\r\n`,
      chat,
    ),
    wanted: "answered",
  },
  {
    name: "Expect: something else",
    bytes: get("/v1/models", "expect: a-cake\r\n"),
    wanted: "answered",
  },
  {
    name: "trailers",
    bytes: post(
      "/v1/quote",
      `${closing}transfer-encoding: chunked\r\ntrailer: x-a\r\n`,
      "2\r\n{}\r\n0\r\nx-a: b\r\n\r\n",
    ),
    wanted: "answered",
  },
  {
    name: "extensions of chunks",
    bytes: post(
      "/v1/quote",
      `${closing}transfer-encoding: chunked\r\n`,
      `2;${"a".repeat(9000)}\r\n{}\r\n0\r\n\r\n`,
    ),
    wanted: "any",
  },
  {
    name: "a chunk of negative size",
    bytes: post("/v1/quote", "transfer-encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n"),
    wanted: "refused",
  },
  {
    name: "a chunk of giant size",
    bytes: post("/v1/quote", "transfer-encoding: chunked\r\n", "ffffffffffffffffff\r\n{}"),
    wanted: "refused",
  },
  {
    name: "gzip",
    bytes: post("/v1/quote", `${closing}content-encoding: gzip\r\ncontent-length: 2\r\n`, "{}"),
    wanted: "answered",
  },
  {
    name: "a length and a body of more",
    bytes: post("/v1/quote", "content-length: 2\r\n", `{}${inner}`),
    wanted: "answered",
    answersMax: 2,
  },
  {
    name: "a length of words",
    bytes: post("/v1/quote", "content-length: two\r\n", "{}"),
    wanted: "refused",
  },
  {
    name: "a length below zero",
    bytes: post("/v1/quote", "content-length: -2\r\n", "{}"),
    wanted: "refused",
  },
  {
    name: "two lengths",
    bytes: post("/v1/quote", "content-length: 2\r\ncontent-length: 200\r\n", `{}${inner}`),
    wanted: "refused",
    answersMax: 1,
  },
  {
    name: "a length and chunks",
    bytes: post(
      "/v1/quote",
      "content-length: 5\r\ntransfer-encoding: chunked\r\n",
      `0\r\n\r\n${inner}`,
    ),
    wanted: "refused",
    answersMax: 1,
  },
  {
    name: "chunks by another name",
    bytes: post("/v1/quote", "transfer-encoding: xchunked\r\n", `0\r\n\r\n${inner}`),
    wanted: "refused",
    answersMax: 1,
  },
  {
    name: "chunks twice",
    bytes: post(
      "/v1/quote",
      "transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n",
      `0\r\n\r\n${inner}`,
    ),
    wanted: "refused",
    answersMax: 1,
  },
  {
    name: "a GET with a body",
    bytes: `${get("/v1/models", "content-length: 4\r\n")}abcd`,
    wanted: "answered",
    answersMax: 1,
  },
  {
    name: "a page with a body",
    bytes: `${get("/pricing", "content-length: 4\r\n")}abcd`,
    wanted: "answered",
    answersMax: 1,
  },
];
