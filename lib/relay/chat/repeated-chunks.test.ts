/**
 * Tests that a stream whose chunks are read by their pattern comes out, byte for byte, as one whose
 * chunks are all parsed.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChunkReader } from "../../upstream/openai/chunk-reader";
import type { ChatEnd, ChatStreamListener, UpstreamFailure } from "../../upstream/provider";
import { deadlinesOf } from "../../upstream/transport/chat-calls";
import { StreamCall } from "../../upstream/transport/stream-call";
import { ChatStreamWriter } from "./chat-form";

interface Outcome {
  readonly text: string;
  readonly cut: UpstreamFailure | null;
  readonly end: ChatEnd | null;
  readonly failure: UpstreamFailure | null;
}

interface Reading {
  readonly outcome: Outcome;
  /** How many chunks were not parsed. */
  readonly repeats: number;
  readonly batches: number;
}

/** Reads a stream; `isParsing` parses every chunk. */
async function read(
  parts: readonly Buffer[],
  isParsing: boolean,
  isUsageAsked = false,
): Promise<Reading> {
  const writer = new ChatStreamWriter({
    answerId: "chatcmpl-ours",
    request: {
      model: "our-model",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      ...(isUsageAsked && { stream_options: { include_usage: true } }),
    },
  });
  let text = "";
  let repeats = 0;
  let batches = 0;
  let cut: UpstreamFailure | null = null;
  let ended: Pick<Outcome, "end" | "failure"> = { end: null, failure: null };
  const listener: ChatStreamListener = {
    onChunk(chunk) {
      if (Array.isArray(chunk.choices) && chunk.choices.length > 0) text += writer.chunk(chunk);
    },
    onBatchEnd: () => void batches++,
    onStall() {},
    onCut: (failure) => {
      cut = failure;
    },
    onEnd: (end, failure) => {
      ended = { end, failure };
    },
  };
  if (!isParsing)
    listener.openRepeats = (samples) => {
      const around = writer.around(samples);
      return (
        around &&
        ((json) => {
          repeats++;
          text += around.before + json + around.after;
        })
      );
    };
  const call = new StreamCall(deadlinesOf(null), () => {}, listener, new ChunkReader());
  call.onBegin({});
  for (const part of parts) if (!call.exchange.isOver) call.onBytes(part);
  await Promise.resolve();
  if (!call.exchange.isOver) call.onComplete();
  return { outcome: { text, cut, ...ended }, repeats, batches };
}

async function readBothWays(parts: readonly Buffer[], isUsageAsked = false): Promise<Reading> {
  const parsed = await read(parts, true, isUsageAsked);
  const byPattern = await read(parts, false, isUsageAsked);
  expect(byPattern.outcome).toEqual(parsed.outcome);
  expect(parsed.repeats).toBe(0);
  expect(byPattern.batches).toBe(parsed.batches);
  return byPattern;
}

const event = (data: string) => `data: ${data}\n\n`;
const head = {
  id: "up-1",
  object: "chat.completion.chunk",
  created: 1_767_225_600,
  model: "theirs",
};
const chunkOf = (delta: object, choice: object = {}, more: object = {}) => ({
  ...head,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice }],
  ...more,
});
const say = (content: string) => JSON.stringify(chunkOf({ content }));
const stop = JSON.stringify(chunkOf({}, { finish_reason: "stop" }));
const usage = JSON.stringify({
  ...head,
  choices: [],
  usage: { prompt_tokens: 3, completion_tokens: 5 },
});
const streamOf = (...datas: string[]) => [Buffer.from(datas.map(event).join(""))];
const words = Array.from({ length: 40 }, (_, index) => say(`word${index} `));

/** Chunks that are unlike the others, or seem to be like them. */
const unusual: Record<string, string> = {
  "a role": JSON.stringify(chunkOf({ role: "assistant", content: "" })),
  "a finish reason": stop,
  "its usage": JSON.stringify(
    chunkOf({ content: "x" }, {}, { usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  ),
  "usage in a choice": JSON.stringify(chunkOf({ content: "x" }, { usage: { prompt_tokens: 1 } })),
  "an error": JSON.stringify(chunkOf({ content: "x" }, {}, { error: { code: "overloaded" } })),
  "a tool call": JSON.stringify(chunkOf({ content: "x", tool_calls: [{ index: 0 }] })),
  logprobs: JSON.stringify(chunkOf({ content: "x" }, { logprobs: { content: [{ token: "x" }] } })),
  "another id": JSON.stringify({ ...chunkOf({ content: "x" }), id: "up-2" }),
  "another time": JSON.stringify({ ...chunkOf({ content: "x" }), created: 5 }),
  "two choices": JSON.stringify({
    ...head,
    choices: [
      { index: 0, delta: { content: "x" } },
      { index: 1, delta: {} },
    ],
  }),
  thoughts: JSON.stringify(chunkOf({ reasoning_content: "hm" })),
  "a number as its text": say("x").replace('"x"', "1"),
  "its text twice": say("x").replace('"content":"x"', '"content":"y","content":"x"'),
  "another name twice": say("x").replace('"id":', '"id":"first","id":'),
  "its text in another text": say('"content":"'),
  "a text that seems to end it": say('","finish_reason":"stop","a":"'),
  "an end that is no escape": say("x").replace('"x"', '"x","finish_reason":"stop","y":"z"'),
  "an escape without need": say("x").replace('"x"', '"\\u0078\\/"'),
  "an escape that does not exist": say("x").replace('"x"', '"\\x"'),
  "a backslash before its end": say("x").replace('"x"', '"x\\"'),
  "a raw control character": say("x").replace('"x"', '"\t"'),
  "an escaped control character": say("\u0001\u001f"),
  "half a character": say("\ud83d"),
  "a name with an escape": say("x").replace('"content"', '"con\\u0074ent"'),
  "a name that ends like it": say("x").replace('"content"', '"a\\"content":"v","content"'),
  spaces: say("x").replace(/([:,])/g, "$1 "),
  nothing: "",
  "no JSON": "this is not JSON",
  "half of it": say("x").slice(0, -3),
  "more behind it": `${say("x")}}`,
  "a prototype": say("x").replace('"object"', '"__proto__":{"a":1},"object"'),
  "deep nesting": say("x").replace(
    '"object"',
    `"deep":${"[".repeat(70)}${"]".repeat(70)},"object"`,
  ),
  "very deep nesting": say("x").replace(
    '"object"',
    `"deep":${"[".repeat(600)}${"]".repeat(600)},"object"`,
  ),
  "a huge number": say("x").replace("1767225600", "1e999"),
  "a byte order mark": `\ufeff${say("x")}`,
  "a long text": say("x".repeat(20_000)),
  "a text too long": say("x".repeat(1_100_000)),
  "an array": "[]",
};

describe("chunks that repeat one another", () => {
  test("of an ordinary stream only the first three and those without text are parsed", async () => {
    const stream = streamOf(unusual["a role"] ?? "", ...words, stop, usage, "[DONE]");
    for (const isAsked of [true, false]) {
      const { repeats, outcome } = await readBothWays(stream, isAsked);
      expect(repeats).toBe(words.length - 2);
      expect(outcome.text).toContain('"id":"chatcmpl-ours"');
      expect(outcome.text).not.toContain("theirs");
      expect(outcome.end).toMatchObject({ hasContent: true, usage: { outputTokens: 5 } });
    }
    const thoughts = words.map((word) => word.replace('"content"', '"reasoning_content"'));
    expect((await readBothWays(streamOf(...thoughts, ...words, stop))).repeats).toBe(76);
    const spaced = words.map((word) => word.replace(/([:,])/g, "$1 "));
    expect((await readBothWays(streamOf(...spaced, stop))).repeats).toBe(37);
  });

  test.each(Object.entries(unusual))(
    "a chunk with %s is read as without a pattern",
    async (_name, data) => {
      await readBothWays(
        streamOf(...words.slice(0, 8), data, ...words.slice(8, 16), stop, "[DONE]"),
      );
      // Also as the one from which the pattern could be learned, several times.
      await readBothWays(
        streamOf(data, data, data, ...words.slice(0, 8), data, data, usage, "[DONE]"),
      );
      await readBothWays(
        streamOf(
          ...words.slice(0, 4),
          data,
          say("a"),
          data.replace('"x"', '"other"'),
          say("b"),
          stop,
        ),
      );
    },
  );

  test("whatever arrives, split anywhere, comes out the same both ways", async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc.constantFrom('"', "\\", '\\"', "\n", "\u2028", "\u007f", "</", "é😀", '{"content":"x"}'),
    );
    const data = fc.oneof(
      { weight: 8, arbitrary: text.map(say) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...Object.values(unusual).filter(({ length }) => length < 5000)),
      },
      { weight: 1, arbitrary: fc.json().map((value) => say("x").replace('"x"', value)) },
      { weight: 1, arbitrary: fc.json().map((value) => say("x").replace("1767225600", value)) },
      { weight: 1, arbitrary: fc.constantFrom(usage, "[DONE]", stop) },
    );
    const written = fc.oneof(
      { weight: 10, arbitrary: data.map((one) => Buffer.from(event(one))) },
      {
        weight: 1,
        arbitrary: data.map((one) => Buffer.from(`: comment\r\nid: 7\r\ndata:${one}\r\n\r\n`)),
      },
      { weight: 1, arbitrary: data.map((one) => Buffer.from(`event: x\rdata: ${one}\r\r`)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.uint8Array({ maxLength: 4 }), text).map(([bytes, around]) => {
          const [before = "", after = ""] = event(say("\u0000")).split("\\u0000");
          return Buffer.concat([
            Buffer.from(before + JSON.stringify(around).slice(1, -1)),
            bytes,
            Buffer.from(after),
          ]);
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { maxLength: 40, size: "max" }),
        fc.array(fc.nat(400), { maxLength: 40 }),
        fc.boolean(),
        async (events, lengths, isUsageAsked) => {
          const all = Buffer.concat(events);
          const parts: Buffer[] = [];
          let from = 0;
          for (const length of lengths) {
            parts.push(all.subarray(from, from + length));
            from += length;
          }
          parts.push(all.subarray(from));
          await readBothWays(parts, isUsageAsked);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test("a stream whose chunks never repeat costs only a few vain patterns", async () => {
    let samples = 0;
    const padded = Array.from({ length: 50 }, (_, index) =>
      JSON.stringify(chunkOf({ content: "a" }, {}, { obfuscation: `${index}` })),
    );
    const reader = new ChunkReader();
    const listener: ChatStreamListener = {
      onChunk() {},
      openRepeats() {
        samples++;
        return () => {};
      },
      onBatchEnd() {},
      onStall() {},
      onCut() {},
      onEnd() {},
    };
    new StreamCall(deadlinesOf(null), () => {}, listener, reader).onBytes(
      Buffer.from(padded.map(event).join("")),
    );
    expect(samples).toBe(4);
  });
});

test("what arrives in one read leaves as one batch, unless it is large", async () => {
  const pieces = words.map((word) => Buffer.from(event(word)));
  expect((await readBothWays(pieces)).batches).toBe(1);
  const large = Array.from({ length: 40 }, () => Buffer.from(event(say("x".repeat(4000)))));
  expect((await readBothWays(large)).batches).toBeGreaterThan(2);
});
