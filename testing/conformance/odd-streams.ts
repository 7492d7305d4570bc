/** Streams whose members are null, absent, of another type or repeated; each ends with its usage. */
import { isRecord } from "@/lib/values/records";
import type { Random } from "../extent/random";
import { chunk, type Script, streamType, usageChunk, usageOf } from "../upstream/test-upstream";
import { event, messageStart, messageUsage } from "../upstream/text-wires";
import { block, DONE } from "./upstreams";

export interface OddStream {
  readonly protocol: "openai" | "anthropic";
  /** Its events, for the message of a failed test. */
  readonly events: readonly string[];
  /** The counts that it is charged by. */
  readonly usage: readonly [input: number, output: number];
}

const others: readonly unknown[] = [5, -1, "x", "", true, {}, [], [null], { a: 1 }, "é\n"];

function pieces(random: Random, text: string): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = random.between(1, 12);
    all.push(text.slice(at, at + length));
    at += length;
  }
  return all;
}

const textOf = (random: Random) =>
  random.pick([
    ["Oslo", 3],
    ['a "quoted" word\n', 2],
    ["é😀\\", 2],
    ["", 1],
  ]);

const argumentsOf = (random: Random): string =>
  random.pick([
    [JSON.stringify({ city: textOf(random) }), 6],
    [JSON.stringify({ city: "Oslo", days: [1, -2.5e3, null, { a: [true] }] }, null, 1), 2],
    ["{}", 1],
    ["", 1],
    ["null", 1],
  ]);

/** Changes some members of a value, at any depth. Names in `kept` stay as they are. */
function oddly(random: Random, value: unknown, kept: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => oddly(random, one, kept));
  if (!isRecord(value)) return value;
  const odd: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const change = kept.has(name) ? "none" : random.pick(changes);
    if (change === "absent") continue;
    if (change === "null") odd[name] = null;
    else if (change === "another") odd[name] = others[random.between(0, others.length - 1)];
    else odd[name] = oddly(random, member, kept);
  }
  return odd;
}

const changes = [
  ["none", 40],
  ["null", 1],
  ["absent", 1],
  ["another", 1],
] as const;

/** Repeats some events, and puts what says nothing between some. */
const repeated = (random: Random, events: readonly string[]): string[] =>
  events.flatMap((one) =>
    random.pick<readonly string[]>([
      [[one], 20],
      [[one, one], 1],
      [["data: null\n\n", one], 1],
      [[": wait\n\n", one, "data:\n\n"], 1],
    ]),
  );

function chatEvents(random: Random, usage: OddStream["usage"]): string[] {
  const kept = new Set(["usage"]);
  const odd = (text: string) => {
    const data: unknown = JSON.parse(text.slice("data: ".length));
    return `data: ${JSON.stringify(oddly(random, data, kept))}\n\n`;
  };
  const said = pieces(random, textOf(random)).map((content) => chunk({ content }));
  const calls = Array.from({ length: random.between(0, 3) }, (_, index) => {
    const begun = { name: index === 1 ? "get_time" : "get_weather", arguments: "" };
    const head = { index, id: `call_${index}`, type: "function", function: begun };
    const rest = pieces(random, argumentsOf(random));
    return [head, ...rest.map((text) => ({ index, function: { arguments: text } }))].map((one) =>
      chunk({ tool_calls: [one] }),
    );
  });
  const end = chunk({}, {}, calls.length > 0 ? "tool_calls" : "stop");
  const first = chunk({ role: "assistant", content: "" });
  const all = [first, ...said, ...calls.flat(), end].map(odd);
  const earlier = random.pick([
    [[], 2],
    [[usageChunk(usageOf(usage[0], 1))], 1],
  ]);
  return [...repeated(random, all), ...earlier, usageChunk(usageOf(...usage)), DONE];
}

function messageEvents(random: Random, [input, output]: OddStream["usage"]): string[] {
  const kept = new Set(["usage", "stop_reason"]);
  const said = pieces(random, textOf(random)).map((text) => ({ type: "text_delta", text }));
  const calls = Array.from({ length: random.between(0, 3) }, (_, at) => {
    const begun = { type: "tool_use", id: `toolu_${at}`, name: "get_weather", input: {} };
    const rest = pieces(random, argumentsOf(random).replace("null", ""));
    const deltas = rest.map((text) => ({ type: "input_json_delta", partial_json: text }));
    return block(at + 1, begun, ...deltas);
  });
  const blocks = [block(0, { type: "text", text: "" }, ...said), ...calls].join("");
  const all = blocks.split(/(?<=\n\n)/).map((text) => {
    const [head = "", data = ""] = text.split("\ndata: ");
    return `${head}\ndata: ${JSON.stringify(oddly(random, JSON.parse(data), kept))}\n\n`;
  });
  const delta = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  return [
    messageStart(messageUsage(input, 1)),
    ...repeated(random, all),
    event("message_delta", { delta, usage: { output_tokens: output } }),
    event("message_stop"),
  ];
}

export function oddStream(random: Random): OddStream {
  const usage = [random.between(1, 500), random.between(1, 40)] as const;
  const protocol = random.pick([
    ["openai", 3],
    ["anthropic", 1],
  ] as const);
  const events = protocol === "openai" ? chatEvents(random, usage) : messageEvents(random, usage);
  return { protocol, events, usage };
}

/** Sends it in pieces that are cut anywhere. */
export const sendOdd =
  (random: Random, { events }: OddStream): Script =>
  async (response) => {
    response.writeHead(200, streamType);
    const bytes = Buffer.from(events.join(""));
    const length = random.pick([
      [bytes.length, 2],
      [random.between(1, 400), 1],
    ]);
    for (let at = 0; at < bytes.length; at += length) {
      response.write(bytes.subarray(at, at + length));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
