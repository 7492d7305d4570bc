/**
 * The most expensive bodies: each as large as its address accepts, and shaped to cost as much as
 * possible. A body is added to a valid one as a further member, or stands alone. Bound: one at a
 * time, each given 60 s.
 */
import { filled, MEBIBYTE, repeated } from "./requests";

export interface Place {
  readonly path: string;
  readonly bytesMax: number;
  /** A valid body without its last brace, so that members can be added. */
  readonly open: string;
  /** The text before and after the prompt. */
  readonly prompt: readonly [string, string];
}

const messages = '"messages":[{"role":"user","content":"Hello"}]';
const call = '"jsonrpc":"2.0","id":1,"method":"tools/call"';
const MEDIA_BYTES = 32 * MEBIBYTE;

/** Every address that takes a body with an API key. */
export const places: readonly Place[] = [
  {
    path: "/v1/chat/completions",
    bytesMax: 4 * MEBIBYTE,
    open: `{"model":"relay-v1","max_tokens":16,${messages}`,
    prompt: ['{"model":"relay-v1","max_tokens":16,"messages":[{"role":"user","content":"', '"}]}'],
  },
  {
    path: "/v1/quote",
    bytesMax: MEDIA_BYTES,
    open: '{"endpoint":"createImage","model":"super-relay-img","prompt":"a fox","size":"512x512"',
    prompt: [
      '{"endpoint":"createVideoTask","model":"super-relay","content":[{"type":"text","text":"',
      '"}]}',
    ],
  },
  ...["/v1/images/generations", "/v1/images/edits"].map((path) => ({
    path,
    bytesMax: MEDIA_BYTES,
    open: '{"model":"super-relay-img","prompt":"a fox","size":"512x512","n":2',
    prompt: ['{"model":"super-relay-img","n":2,"prompt":"', '"}'] as const,
  })),
  {
    path: "/v1/videos/generations",
    bytesMax: MEDIA_BYTES,
    open: '{"model":"super-relay","prompt":"a fox","resolution":"9p"',
    prompt: ['{"model":"super-relay","resolution":"9p","prompt":"', '"}'],
  },
  {
    path: "/v1/contents/generations/tasks",
    bytesMax: MEDIA_BYTES,
    open: '{"model":"super-relay","resolution":"9p","content":[{"type":"text","text":"a fox"}]',
    prompt: ['{"model":"super-relay","resolution":"9p","content":[{"type":"text","text":"', '"}]}'],
  },
  {
    path: "/v1/videos",
    bytesMax: MEDIA_BYTES,
    open: '{"model":"super-relay","prompt":"a fox","size":"9x9"',
    prompt: ['{"model":"super-relay","size":"9x9","prompt":"', '"}'],
  },
  {
    path: "/v1/messages",
    bytesMax: 4 * MEBIBYTE,
    open: `{"model":"relay-v1","max_tokens":16,${messages}`,
    prompt: ['{"model":"relay-v1","max_tokens":16,"messages":[{"role":"user","content":"', '"}]}'],
  },
  {
    path: "/v1/messages/count_tokens",
    bytesMax: 4 * MEBIBYTE,
    open: `{"model":"relay-v1",${messages}`,
    prompt: ['{"model":"relay-v1","messages":[{"role":"user","content":"', '"}]}'],
  },
  {
    path: "/v1/responses",
    bytesMax: 4 * MEBIBYTE,
    open: '{"model":"relay-v1","store":false,"max_output_tokens":16,"input":"Hello"',
    prompt: ['{"model":"relay-v1","store":false,"max_output_tokens":16,"input":"', '"}'],
  },
  {
    path: "/mcp",
    bytesMax: 4 * MEBIBYTE,
    open: `{${call},"params":{"name":"quote","arguments":{"model":"super-relay-img","prompt":"a fox"}}`,
    prompt: [
      `{${call},"params":{"name":"quote","arguments":{"model":"super-relay-img","prompt":"`,
      '"}}}',
    ],
  },
];

export interface WorstBody {
  readonly name: string;
  pieces(place: Place, bytes: number): Buffer[];
  /** Limits the shape to these addresses. */
  readonly paths?: readonly string[];
}

const member =
  (before: string, unit: string | ((index: number) => string), after: string) =>
  ({ open }: Place, bytes: number): Buffer[] =>
    typeof unit === "string"
      ? repeated(`${open},${before}`, unit, after, bytes)
      : filled(`${open},${before}`, unit, after, bytes);
const text =
  (before: string, unit: string, after = "") =>
  ({ prompt: [start, end] }: Place, bytes: number): Buffer[] =>
    repeated(start + before, unit, after + end, bytes);

const chat = ["/v1/chat/completions", "/v1/messages"];
const quote = ["/v1/quote"];
const images = ["/v1/quote", "/v1/images/generations", "/v1/images/edits"];
/** Those that take a picture in the place of its address. */
const media = places.filter(({ bytesMax }) => bytesMax === MEDIA_BYTES).map(({ path }) => path);
const chatOpen = '{"endpoint":"createChatCompletion","model":"relay-v1","max_tokens":16';
const nested = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth);

/** More than twenty shapes, by the names that a report shows. */
export const worstBodies: readonly WorstBody[] = [
  {
    name: "members of distinct names",
    pieces: member('"zz":{"a":0,', (index) => `"m${index.toString(36)}":0`, "}}"),
  },
  {
    name: "members of distinct names at the top",
    pieces: member("", (index) => `"m${index.toString(36)}":0`, "}"),
  },
  { name: "empty objects", pieces: member('"zz":[{}', ",{}", "]}") },
  { name: "empty arrays", pieces: member('"zz":[[]', ",[]", "]}") },
  {
    name: "objects of distinct shapes",
    pieces: member('"zz":[', (index) => `{"s${index.toString(36)}":0}`, "]}"),
  },
  {
    name: "nesting to the limit, often",
    pieces: member('"zz":[0', `,${nested("[", "]", 60)}`, "]}"),
  },
  { name: "nesting without an end", pieces: (_, bytes) => repeated("", "[", "", bytes) },
  {
    name: "objects in objects without an end",
    pieces: (_, bytes) => repeated("", '{"a":', "", bytes),
  },
  { name: "one long name", pieces: member('"', "k", '":0}') },
  { name: "escapes only", pieces: text("", "\\u0041") },
  { name: "backslashes only", pieces: text("", "\\\\") },
  { name: "quotes in a text", pieces: text("", '\\"') },
  {
    name: "a name twice at the end",
    pieces: member('"zz":{"m0":0,', (index) => `"m${index.toString(36)}":0`, ',"m0":0}}'),
  },
  { name: "a number of very many digits", pieces: member('"zz":1', "1", "}") },
  {
    name: "numbers of many digits",
    pieces: member('"zz":[0', `,0.${"123456789".repeat(30)}e-3`, "]}"),
  },
  { name: "small numbers", pieces: member('"zz":[1', ",1", "]}") },
  {
    name: "numbers as images",
    pieces: member('"image":[1', ",1", "]}"),
    paths: images,
  },
  {
    name: "numbers as references",
    pieces: member('"reference_images":[1', ",1", "]}"),
    paths: ["/v1/videos/generations"],
  },
  {
    name: "numbers as content",
    pieces: (_, bytes) => repeated('{"model":"super-relay","content":[1', ",1", "]}", bytes),
    paths: ["/v1/contents/generations/tasks"],
  },
  {
    name: "empty texts as images",
    pieces: member('"image":[""', ',""', "]}"),
    paths: images,
  },
  {
    name: "a picture as the reference of a video",
    pieces: member('"input_reference":"data:image/png;base64,', "AAAA", '!"}'),
    paths: ["/v1/videos"],
  },
  {
    name: "items of an input",
    pieces: (_, bytes) => repeated('{"model":"relay-v1","input":[{}', ",{}", "]}", bytes),
    paths: ["/v1/responses"],
  },
  {
    name: "references to items",
    pieces: (_, bytes) =>
      filled(
        '{"model":"relay-v1","input":[{"role":"user","content":"a"},',
        (index) => `{"type":"item_reference","id":"msg_${index.toString(16).padStart(32, "0")}_0"}`,
        "]}",
        bytes,
      ),
    paths: ["/v1/responses"],
  },
  {
    name: "blocks of a message",
    pieces: (_, bytes) =>
      repeated(
        '{"model":"relay-v1","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a"}',
        ',{"type":"text","text":"a"}',
        "]}]}",
        bytes,
      ),
    paths: ["/v1/messages"],
  },
  {
    name: "a batch of messages",
    pieces: (_, bytes) => repeated(`[{${call}}`, `,{${call}}`, "]", bytes),
    paths: ["/mcp"],
  },
  {
    name: "wrong UTF-8 at the end",
    pieces: (place, bytes) => [...text("", "a", "a")(place, bytes - 1), Buffer.from([0xff])],
  },
  { name: "half of a pair at the end", pieces: text("", "é", "\\ud800") },
  { name: "blanks only", pieces: (_, bytes) => repeated("", " ", "", bytes) },
  { name: "blanks behind", pieces: member('"zz":0}', " ", "") },
  { name: "commas only", pieces: (_, bytes) => repeated("[", ",", "]", bytes) },
  { name: "quotes only", pieces: (_, bytes) => repeated("", '"', "", bytes) },
  {
    name: "messages",
    pieces: (_, bytes) => repeated('{"model":"relay-v1","messages":[{}', ",{}", "]}", bytes),
    paths: chat,
  },
  {
    name: "4096 messages of 256 parts",
    pieces: (_, bytes) => {
      const message = `,{"role":"user","content":[${new Array(256).fill('{"type":"text","text":""}').join(",")}]}`;
      return repeated(
        '{"model":"relay-v1","max_tokens":1,"messages":[{"role":"user","content":"a"}',
        message,
        "]}",
        bytes,
      );
    },
    paths: chat,
  },
  {
    name: "messages quoted",
    pieces: (_, bytes) =>
      repeated(
        `${chatOpen},"messages":[{"role":"user","content":"a"}`,
        ',{"role":"user","content":"a"}',
        "]}",
        bytes,
      ),
    paths: quote,
  },
  { name: "a tool with a giant schema", pieces: tools, paths: chat },
  { name: "stop words", pieces: member('"stop":["a"', ',"a"', "]}"), paths: chat },
  {
    name: "a bias for 100,000 tokens",
    pieces: member('"logit_bias":{', (index) => `"${index}":1`, "}}"),
    paths: chat,
  },
  { name: "dashes like flags", pieces: text("a ", "--a") },
  { name: "flags", pieces: text("a ", "--rs 480p ") },
  { name: "blanks in a text", pieces: text("a", " ", "--") },
  { name: "four-byte characters", pieces: text("", "𠮷") },
  { name: "joined characters", pieces: text("a", "\u0301\u200d") },
  { name: "one word", pieces: text("", "a") },
  {
    name: "a picture inside",
    pieces: member('"image":"data:image/png;base64,', "AAAA", '"}'),
    paths: media,
  },
  {
    name: "a picture broken at its end",
    pieces: member('"image":"data:image/png;base64,', "AAAA", '!"}'),
    paths: media,
  },
  {
    name: "a picture as the first frame",
    pieces: member('"first_frame_url":"data:image/png;base64,', "AAAA", '!"}'),
    paths: media,
  },
];

function tools({ open }: Place, bytes: number): Buffer[] {
  const before = `${open},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{`;
  return filled(before, (index) => `"p${index.toString(36)}":{"type":"string"}`, "}}}}]}", bytes);
}
