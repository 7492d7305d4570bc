/** Calls of tools, in the pieces in which upstreams stream them. */

import { calls, inPieces, OSLO, oslo, ROME, rome } from "./call-words";
import type { Situation } from "./situation";
import { piece } from "./upstreams";

const [first, rest] = [OSLO.slice(0, 8), OSLO.slice(8)];
const merged = "Messages: one call with both inputs; chat: as it was sent";
const raw = "chat: as it was sent, and the library fails";

export const streamedCalls: readonly Situation[] = [
  inPieces(
    ["two calls at index 0, told apart by their ids", "vercel/ai#14277", merged, "two calls"],
    [
      piece({ index: 0, id: "a1", type: "function" }, "get_weather", OSLO),
      piece({ index: 0, id: "a2", type: "function" }, "get_weather", ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["the same, each in pieces without an id", "InternLM/lmdeploy#3412", merged, "two calls"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0, id: "" }, null, OSLO),
      piece({ index: 0, id: "a2" }, "get_weather", ""),
      piece({ index: 0, id: "" }, null, ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    [
      "pieces of two calls, mixed",
      "maximhq/bifrost#1829",
      "AI SDK, Messages: half a call",
      "two calls",
    ],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 1, id: "a2" }, "get_weather", ""),
      piece({ index: 0 }, undefined, first),
      piece({ index: 1 }, undefined, ROME),
      piece({ index: 0 }, undefined, rest),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["calls without an index", "ollama/ollama#7881", raw, "two calls"],
    [piece({ id: "a1" }, "get_weather", OSLO), piece({ id: "a2" }, "get_weather", ROME)],
    calls(oslo, rome),
  ),
  inPieces(
    ["calls with `index: null`", "chatanywhere/GPT_API_free#254", raw, "two calls"],
    [
      piece({ index: null, id: "a1" }, "get_weather", first),
      piece({ index: null }, undefined, rest),
      piece({ index: null, id: "a2" }, "get_weather", ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["calls without index and id", "AstrBotDevs/AstrBot#6661", raw, "two calls, with ids of ours"],
    [piece({ id: "" }, "get_weather", OSLO), piece({ id: "" }, "get_weather", ROME)],
    calls(oslo, rome),
  ),
  inPieces(
    [
      "a second call without an id",
      "sgl-project/sglang#7048",
      raw,
      "two calls, with an id of ours",
    ],
    [
      piece({ index: 0, id: "a1" }, "get_weather", OSLO),
      piece({ index: 1, id: null }, "get_weather", ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["two calls with one id", "ggml-org/llama.cpp#27966", "two calls with one id", "two ids"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", OSLO),
      piece({ index: 1, id: "a1" }, "get_weather", ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["another id in the further pieces of a call", "poolsideai/pool#9", "half a call", "one call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0, id: "b1" }, undefined, first),
      piece({ index: 0, id: "b1" }, undefined, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["a random id in each piece", "BerriAI/litellm#28223", "a call for each piece", "one call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0, id: "a2" }, null, first),
      piece({ index: 0, id: "a3" }, null, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["the id and the name in each piece", "InternLM/lmdeploy#3412", "the call", "one call"],
    [
      piece({ index: 0, id: "0" }, "get_weather", ""),
      piece({ index: 0, id: "0" }, "get_weather", first),
      piece({ index: 0, id: "0" }, "get_weather", rest),
    ],
    calls(oslo),
  ),
  inPieces(
    [
      "an empty name in further pieces",
      "bitrouter/bitrouter#552",
      "a call for each piece",
      "one call",
    ],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0 }, "", first),
      piece({ index: 0 }, "", rest),
    ],
    calls(oslo),
  ),
  inPieces(
    [
      "the name in each piece, without an id",
      "NousResearch/hermes-agent#12230",
      "the call",
      "one call",
    ],
    [
      piece({ index: 0 }, "get_weather", ""),
      piece({ index: 0 }, "get_weather", first),
      piece({ index: 0 }, "get_weather", rest),
    ],
    calls(oslo),
  ),
  inPieces(
    [
      "`arguments: null` in the first piece",
      "ogx-ai/ogx#5462",
      '`null{"city":…}` as its input',
      "the call",
    ],
    [piece({ index: 0, id: "a1" }, "get_weather", null), piece({ index: 0 }, undefined, OSLO)],
    calls(oslo),
  ),
  inPieces(
    ["null for id, name and type in further pieces", "sgl-project/sglang#35542", raw, "the call"],
    [
      piece({ index: 0, id: "a1", type: "function" }, "get_weather", ""),
      piece({ index: 0, id: null, type: null }, null, first),
      piece({ index: 0, id: null, type: null }, null, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["a null among the calls of a delta", "odysseus-dev/odysseus#2922", raw, "the other call"],
    [{ tool_calls: [null, ...piece({ index: 0, id: "a1" }, "get_weather", OSLO).tool_calls] }],
    calls(oslo),
  ),
  inPieces(
    ["a call without a type", null, raw, "the call"],
    [piece({ index: 0, id: "a1" }, "get_weather", OSLO)],
    calls(oslo),
  ),
  inPieces(
    ["the name after the arguments", null, "Messages: a call without a name", "the call"],
    [piece({ index: 0, id: "a1" }, undefined, first), piece({ index: 0 }, "get_weather", rest)],
    calls(oslo),
  ),
  inPieces(
    ["a name in pieces", "continuedev/continue#5849", "a call of half a name", "the call"],
    [piece({ index: 0, id: "a1" }, "get_", ""), piece({ index: 0 }, "weather", OSLO)],
    calls(oslo),
  ),
  inPieces(
    ["the whole arguments again in the last piece", null, "broken JSON", "the call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", first),
      piece({ index: 0 }, undefined, rest),
      piece({ index: 0, id: "a1" }, "get_weather", OSLO),
    ],
    calls(oslo),
  ),
  inPieces(
    ["text within a call", null, "Messages: the call in two blocks", "the call, then the text"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", first),
      { content: "\n" },
      piece({ index: 0 }, undefined, rest),
    ],
    { ...calls(oslo), text: "\n" },
  ),
  inPieces(
    [
      "a call that is cut, with `tool_calls` as its end",
      null,
      "a whole answer",
      "an answer that is cut",
    ],
    [piece({ index: 0, id: "a1" }, "get_weather", first)],
    { end: "length" },
  ),
  inPieces(
    [
      "`tool_calls` as its end, and no call",
      "su-kaka/gcli2api#406",
      "a turn that waits",
      "an answer that is cut",
    ],
    [{ content: "hi" }],
    { text: "hi", calls: [], end: "length" },
  ),
];
