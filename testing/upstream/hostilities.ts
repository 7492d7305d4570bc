/** The answers of broken, endless and forging upstreams, written byte for byte. */
import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { pause } from "@/lib/timing/pause";
import { pngOf } from "../media/files";
import {
  chunk,
  completion,
  startUpstream,
  type TestUpstream,
  usageChunk,
  usageOf,
} from "./test-upstream";
import { textWires } from "./text-wires";

interface Asked {
  readonly path: string;
  readonly isStream: boolean;
}
/**
 * Writes an answer. `write` waits for the reader, and returns false once the connection is gone.
 */
type Hostility = (
  write: (data: string | Buffer) => Promise<boolean>,
  asked: Asked,
  socket: Socket,
) => void | Promise<void>;

const JSON_TYPE = "application/json";
const finish = chunk({}, {}, "stop");
const MEGABYTE = 1024 * 1024;
const PNG_BASE64 = pngOf(512, 512).toString("base64");

const NO_USAGE = Symbol("no usage");

function goodMessage(isStream: boolean, content: string): string {
  const [, wire] = textWires(5, 7);
  if (wire === undefined) throw new Error("there is no such format");
  if (!isStream) return wire.whole(content, [5, 7]);
  return [wire.text.replace('content"}', `${content}"}`), wire.finish, wire.usage, wire.done].join(
    "",
  );
}

/** A valid answer with this usage. */
function goodBody(
  { path, isStream }: Asked,
  usage: unknown = usageOf(5, 7),
  content = "hi",
): string {
  const said = usage === NO_USAGE ? {} : { usage };
  if (path.endsWith("/images/generations"))
    return JSON.stringify({ created: 1, data: [{ b64_json: PNG_BASE64 }], ...said });
  if (path.endsWith("/messages")) return goodMessage(isStream, content);
  if (!path.endsWith("/chat/completions")) return JSON.stringify({ id: "cgt-1", status: "queued" });
  if (!isStream) return completion(content, said);
  return `${chunk({ content })}${finish}${usage === NO_USAGE ? "" : usageChunk(usage)}data: [DONE]\n\n`;
}

const typeOf = ({ isStream }: Asked) => (isStream ? "text/event-stream" : JSON_TYPE);
const head = (asked: Asked, more = "", status = "200 OK") =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${typeOf(asked)}\r\n${more}\r\n`;
const whole = (asked: Asked, body: string | Buffer, more = "", status = "200 OK") =>
  Buffer.concat([
    Buffer.from(head(asked, `content-length: ${Buffer.byteLength(body)}\r\n${more}`, status)),
    Buffer.from(body),
  ]);

const say =
  (body: (asked: Asked) => string | Buffer, more = "", status = "200 OK"): Hostility =>
  (write, asked) =>
    void write(whole(asked, body(asked), more, status));

async function repeat(
  write: (data: string | Buffer) => Promise<boolean>,
  piece: string | Buffer,
  bytes = Number.POSITIVE_INFINITY,
) {
  const data = Buffer.from(piece);
  for (let sent = 0; sent < bytes; sent += data.length) if (!(await write(data))) return;
}

const openBody = ({ isStream }: Asked) =>
  isStream ? chunk({ content: "a" }) : '{"choices":[{"message":{"content":"';
const withUsage = (usage: string) => (asked: Asked) => goodBody(asked, "@").replace('"@"', usage);

const withUsages = Object.fromEntries(
  Object.entries({
    negative: '{"prompt_tokens":-5,"completion_tokens":-7}',
    fractional: '{"prompt_tokens":5.5,"completion_tokens":7}',
    "of 2^63": '{"prompt_tokens":5,"completion_tokens":9223372036854775808}',
    "of strings": '{"prompt_tokens":"5","completion_tokens":"7"}',
    "of 1e308": '{"prompt_tokens":5,"completion_tokens":1e308}',
    "of another shape": "[5,7]",
    "beyond the hold": '{"prompt_tokens":5,"completion_tokens":2000000}',
    "with its names twice": '{"prompt_tokens":5,"completion_tokens":7,"completion_tokens":9}',
    null: "null",
  }).map(([name, usage]) => [`usage ${name}`, say(withUsage(usage))]),
);

const bombs = {
  gzip: gzipSync(Buffer.alloc(64 * MEGABYTE, " ")),
  deflate: deflateSync(Buffer.alloc(64 * MEGABYTE, " ")),
  br: brotliCompressSync(Buffer.alloc(64 * MEGABYTE, " ")),
};
const encoded = (coding: string, encode: (body: string) => Buffer) =>
  say((asked) => encode(goodBody(asked)), `content-encoding: ${coding}\r\n`);
const deep = `{"choices":[{"message":{},"delta":{}}],"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
const usageText = JSON.stringify(usageOf(5, 7));
const manyMembers = `{"choices":[{"message":{"content":"a"}}],"z":[${"{},".repeat(300_000)}{}],"usage":${usageText}}`;
const manyChoices = `{"choices":[${"{},".repeat(1_000_000)}{}],"usage":${usageText}}`;
const emptyLines = "data\n".repeat(200_000);

export const hostilities: Readonly<Record<string, Hostility>> = {
  "silence before headers": () => {},
  "silence after headers": (write, asked) => void write(head(asked)),
  "silence within a chunk": (write, asked) =>
    void write(`${head(asked, "transfer-encoding: chunked\r\n")}1000\r\n${openBody(asked)}`),
  "one byte at a time": async (write, asked) => {
    await write(head(asked));
    for (const byte of `${openBody(asked)}${" ".repeat(10_000)}`) {
      if (!(await write(byte))) return;
      await pause(asked.isStream ? 1 : 20);
    }
  },
  "an endless header line": async (write) => {
    await write("HTTP/1.1 200 OK\r\nx-a: ");
    await repeat(write, "a".repeat(65_536));
  },
  "endless headers": async (write) => {
    await write("HTTP/1.1 200 OK\r\n");
    await repeat(write, "x-a: b\r\n".repeat(1000));
  },
  "a flood of 1xx": async (write, asked) => {
    await repeat(write, "HTTP/1.1 102 Processing\r\n\r\n".repeat(100), 500_000);
    await write(whole(asked, goodBody(asked)));
  },
  "status 204": (write, asked) => void write(head(asked, "", "204 No Content")),
  "status 304": (write, asked) => void write(head(asked, "", "304 Not Modified")),
  "a redirect": (write, asked) =>
    void write(
      whole(asked, "", "location: http://127.0.0.1:1/steal\r\n", "307 Temporary Redirect"),
    ),
  "HTML with 200": (write) =>
    void write(
      "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>no</html>",
    ),
  "another content type": (write, asked) => {
    const body = goodBody(asked);
    void write(
      `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  },
  "gzip that nobody asked for": encoded("gzip", gzipSync),
  "deflate that nobody asked for": encoded("deflate", deflateSync),
  "deflate without its head": encoded("deflate", deflateRawSync),
  "br that nobody asked for": encoded("br", brotliCompressSync),
  "an encoding that nobody knows": encoded("lzma", (body) => Buffer.from(body)),
  "another encoding than it says": encoded("gzip", brotliCompressSync),
  "a gzip bomb": say(() => bombs.gzip, "content-encoding: gzip\r\n"),
  "a deflate bomb": say(() => bombs.deflate, "content-encoding: deflate\r\n"),
  "a br bomb": say(() => bombs.br, "content-encoding: br\r\n"),
  "100 MB of white space": async (write, asked) => {
    await write(head(asked));
    await repeat(write, Buffer.alloc(65_536, asked.isStream ? "\n" : " "), 100 * MEGABYTE);
  },
  "an endless line": async (write, asked) => {
    await write(`${head(asked)}${openBody(asked)}${asked.isStream ? "data: " : ""}`);
    await repeat(write, Buffer.alloc(65_536, "a"));
  },
  "an endless chunk extension": async (write, asked) => {
    await write(`${head(asked, "transfer-encoding: chunked\r\n")}1;a=`);
    await repeat(write, "a".repeat(65_536));
  },
  "a body shorter than its length": (write, asked, socket) =>
    void write(`${head(asked, "content-length: 99999\r\n")}${openBody(asked)}`).then(() =>
      socket.end(),
    ),
  "a body longer than its length": (write, asked) => {
    const body = goodBody(asked);
    void write(
      `${head(asked, `content-length: ${Buffer.byteLength(body)}\r\n`)}${body}{"choices":"more"}`,
    );
  },
  "two lengths": (write, asked) =>
    void write(`${head(asked, "content-length: 5\r\ncontent-length: 9\r\n")}${goodBody(asked)}`),
  "a length and chunks": (write, asked) =>
    void write(`${head(asked, "content-length: 5\r\ntransfer-encoding: chunked\r\n")}0\r\n\r\n`),
  "a reset before anything": (_, __, socket) => void socket.resetAndDestroy(),
  "a close after headers": (write, asked, socket) =>
    void write(head(asked)).then(() => socket.end()),
  "no HTTP at all": (write) => void write("SSH-2.0-OpenSSH_9.6\r\n"),
  "a second answer at once": (write, asked) =>
    void write(
      Buffer.concat([whole(asked, goodBody(asked)), whole(asked, goodBody(asked, usageOf(9, 9)))]),
    ),
  "invalid UTF-8": say((asked) =>
    Buffer.from(goodBody(asked, usageOf(5, 7), "\u00ff\u00fe"), "latin1"),
  ),
  "NUL in texts": say((asked) =>
    goodBody(asked, usageOf(5, 7), "a\u0000b").replace('"up-1"', '"up\\u0000"'),
  ),
  "nesting 100,000 deep": say((asked) =>
    asked.isStream ? `${chunk({ content: "a" })}data: ${deep}\n\n` : deep,
  ),
  "300,000 small members": say((asked) =>
    asked.isStream ? `data: ${manyMembers}\n\n${goodBody(asked)}` : manyMembers,
  ),
  "1,000,000 choices": say((asked) =>
    asked.isStream
      ? `${chunk({ content: "a" })}data: ${manyChoices}\n\n${usageChunk(usageOf(5, 7))}data: [DONE]\n\n`
      : manyChoices,
  ),
  "a byte order mark": say((asked) => `\ufeff${goodBody(asked)}`),
  "CRLF line ends": say((asked) => goodBody(asked).replaceAll("\n", "\r\n")),
  "CR line ends": say((asked) => goodBody(asked).replaceAll("\n", "\r")),
  "a flood of comments": async (write, asked) => {
    await write(head(asked));
    if (asked.isStream) await repeat(write, ": wait\n\n".repeat(1000), 5 * MEGABYTE);
    await write(goodBody(asked));
    if (!asked.isStream) await repeat(write, " ", 1000);
  },
  "a flood of empty data lines": say((asked) =>
    asked.isStream ? `${emptyLines}\n${goodBody(asked)}` : "data\n".repeat(9),
  ),
  ...withUsages,
  "no usage": say((asked) => goodBody(asked, NO_USAGE)),
  "usage twice with different numbers": say((asked) => {
    if (asked.isStream)
      return `${chunk({ content: "a" })}${finish}${usageChunk(usageOf(5, 7))}${usageChunk(usageOf(5, 9))}data: [DONE]\n\n`;
    return goodBody(asked).replace(/}$/, `,"usage":${JSON.stringify(usageOf(5, 9))}}`);
  }),
  "usage in the middle only": say((asked) =>
    asked.isStream
      ? `${chunk({ content: "a" }, { usage: usageOf(5, 3) })}${chunk({ content: "b" })}${finish}data: [DONE]\n\n`
      : goodBody(asked, null),
  ),
  "words after [DONE]": say(
    (asked) => `${goodBody(asked)}${asked.isStream ? usageChunk(usageOf(9, 999)) : "\n"}`,
  ),
  "an error inside a 200": say(
    ({ isStream }) =>
      `${isStream ? "data: " : ""}{"error":{"message":"secret","code":"overloaded"}}\n\n`,
  ),
  "429 with an absurd Retry-After": say(
    () => "{}",
    "retry-after: 99999999999\r\n",
    "429 Too Many Requests",
  ),
  "500 with 10 MB of HTML": (write, asked) =>
    void write(whole(asked, "<p>".repeat(3_500_000), "", "500 Internal Server Error")),
};

/** The scripted upstream in the hostile way that `kind` names, on the bare socket. */
export async function startHostile(): Promise<TestUpstream & { kind: string }> {
  const upstream = await startUpstream((response, { path, body }) => {
    const { socket } = response.req;
    const write = (data: string | Buffer) =>
      new Promise<boolean>((resolve) => {
        if (socket.destroyed || socket.write(data)) return resolve(!socket.destroyed);
        const settle = () => {
          socket.off("drain", settle).off("close", settle);
          resolve(!socket.destroyed);
        };
        socket.once("drain", settle).once("close", settle);
      });
    return hostilities[hostile.kind]?.(write, { path, isStream: body.stream === true }, socket);
  });
  const hostile = { ...upstream, kind: "" };
  return hostile;
}
