/**
 * An upstream that costs almost nothing: answers every chat request at once with the same bytes,
 * plain or streamed. A paced stream comes chunk by chunk, each with the time at which it was sent.
 */
import { createServer, type Socket } from "node:net";
import { CHUNK_MS, CHUNKS, PACED, STAMP_LENGTH, stamp } from "./pace";

const usage = { prompt_tokens: 12, completion_tokens: 16, total_tokens: 28 };
const answer = JSON.stringify({
  id: "chatcmpl-instant",
  object: "chat.completion",
  created: 1_767_225_600,
  model: "instant",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "A short answer that is ready at once." },
      finish_reason: "stop",
    },
  ],
  usage,
});
const plain = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`,
);

const event = (body: object | string) => {
  const line = `data: ${typeof body === "string" ? body : JSON.stringify(body)}\n\n`;
  return `${Buffer.byteLength(line).toString(16)}\r\n${line}\r\n`;
};
const chunk = (choices: object[], rest: object = {}) =>
  event({
    id: "chatcmpl-instant",
    object: "chat.completion.chunk",
    created: 1_767_225_600,
    model: "instant",
    choices,
    ...rest,
  });
const words = (content: string) => chunk([{ index: 0, delta: { content }, finish_reason: null }]);
const beginning =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n" +
  chunk([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
const ending =
  chunk([{ index: 0, delta: {}, finish_reason: "stop" }]) +
  chunk([], { usage }) +
  `${event("[DONE]")}0\r\n\r\n`;
const streamed = Buffer.from(
  beginning + Array.from({ length: 16 }, (_, index) => words(`word${index} `)).join("") + ending,
);
const [beforeStamp = "", afterStamp = ""] = words("#".repeat(STAMP_LENGTH)).split(/#+/);

function writePaced(socket: Socket): void {
  socket.write(beginning);
  let left = CHUNKS;
  const end = () => clearInterval(timer);
  const timer = setInterval(() => {
    if (left-- > 0) socket.write(`${beforeStamp}${stamp()}${afterStamp}`);
    else {
      end();
      socket.off("close", end);
      socket.write(ending);
    }
  }, CHUNK_MS);
  socket.once("close", end);
}

const server = createServer({ noDelay: true }, (socket) => {
  let pending = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (part) => {
    pending += part.toString("latin1");
    for (;;) {
      const headersEnd = pending.indexOf("\r\n\r\n");
      if (headersEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, headersEnd))?.[1] ?? 0);
      const end = headersEnd + 4 + length;
      if (pending.length < end) return;
      const body = pending.slice(headersEnd, end);
      pending = pending.slice(end);
      if (!/"stream": ?true/.test(body)) socket.write(plain);
      else if (body.includes(PACED)) writePaced(socket);
      else socket.write(streamed);
    }
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.("ready"));
