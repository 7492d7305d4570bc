/** Further pieces in which upstreams stream calls of tools. */
import { called, calls, inPieces, OSLO, oslo, ROME, rome } from "./call-words";
import type { Situation } from "./situation";
import { piece } from "./upstreams";

const [first, rest] = [OSLO.slice(0, 4), OSLO.slice(4)];
const time = called("get_time", {});
const broken = "an answer that is cut";
const noArguments = { function: { name: "get_time", arguments: "" } };

export const furtherCalls: readonly Situation[] = [
  inPieces(
    [
      "two pieces of a call at one index in one delta",
      "openai/openai-python#3201",
      broken,
      "the call",
    ],
    [
      {
        tool_calls: [
          { index: 0, id: "a1", function: { name: "get_weather", arguments: "" } },
          { index: 0, function: { arguments: first } },
        ],
      },
      piece({ index: 0 }, undefined, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["a second call begun at the index of the first", "agno-agi/agno#8880", broken, "two calls"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0 }, undefined, OSLO),
      piece({ index: 0, id: "a2" }, "get_weather", ""),
      piece({ index: 1 }, undefined, ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["an id and arguments, and then a name", "vercel/ai#14760", "the library fails", "the call"],
    [
      piece({ index: 0, id: "a1" }, undefined, first),
      piece({ index: 0 }, "get_weather", ""),
      piece({ index: 0 }, undefined, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["an empty delta of arguments first", "BerriAI/litellm#39288", "the call", "the call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0 }, undefined, ""),
      piece({ index: 0 }, undefined, OSLO),
    ],
    calls(oslo),
  ),
  inPieces(
    [
      "each piece of the arguments twice, whole at the end",
      "lidge-jun/opencodex#361",
      broken,
      "the call",
    ],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0 }, undefined, OSLO),
      piece({ index: 0 }, undefined, OSLO),
    ],
    calls(oslo),
  ),
  inPieces(
    ["in each piece all arguments so far", null, broken, "the call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 0 }, undefined, first),
      piece({ index: 0 }, undefined, OSLO.slice(0, 9)),
      piece({ index: 0 }, undefined, OSLO),
    ],
    calls(oslo),
  ),
  inPieces(
    ["another index in each piece of a call", null, broken, "the call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", ""),
      piece({ index: 1 }, undefined, first),
      piece({ index: 2 }, undefined, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["two calls without arguments, index and id, in one piece", null, "one call", "two calls"],
    [{ tool_calls: [noArguments, noArguments] }],
    calls(time, time),
  ),
  inPieces(
    ["two calls at one index in one piece, without ids", null, "one call", "two calls"],
    [
      {
        tool_calls: [
          { index: 0, ...noArguments },
          { index: 0, ...noArguments },
        ],
      },
    ],
    calls(time, time),
  ),
  inPieces(
    ["the calls as an object instead of a list", null, "the call", "the call"],
    [{ tool_calls: piece({ index: 0, id: "a1" }, "get_weather", OSLO).tool_calls[0] }],
    calls(oslo),
  ),
  inPieces(
    ["an index as text", null, "the calls", "the calls"],
    [
      piece({ index: "0", id: "a1" }, "get_weather", first),
      piece({ index: "1", id: "a2" }, "get_weather", ROME),
      piece({ index: "0" }, undefined, rest),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    ["ids that are numbers", null, "the calls", "the calls"],
    [
      piece({ index: 0, id: 7 }, "get_weather", OSLO),
      piece({ index: 1, id: 8 }, "get_weather", ROME),
    ],
    calls(oslo, rome),
  ),
  inPieces(
    [
      "deltas of nothing while a call is written, marked beside the choices",
      "jjang-ai/vmlx#219",
      "the call",
      "the call",
    ],
    [
      ...Array(3).fill(
        'data: {"choices":[{"index":0,"delta":{}}],"tool_call_generating":true}\n\n',
      ),
      piece({ index: 0, id: "a1" }, "get_weather", OSLO),
    ],
    calls(oslo),
  ),
  inPieces(
    [
      "a chunk without choices within a call",
      "paul356/KiCad-AI-Assistant#90",
      "the call",
      "the call",
    ],
    [
      piece({ index: 0, id: "a1" }, "get_weather", first),
      'data: {"choices":[]}\n\n',
      piece({ index: 0 }, undefined, rest),
    ],
    calls(oslo),
  ),
  inPieces(
    ["a piece of a call with the last word", null, "the call", "the call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", first),
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(rest)}}}]},"finish_reason":"tool_calls"}]}\n\n`,
    ],
    calls(oslo),
  ),
  inPieces(
    ["a piece of a call after the last word", null, "the call", "the call"],
    [
      piece({ index: 0, id: "a1" }, "get_weather", first),
      `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n`,
      piece({ index: 0 }, undefined, rest),
    ],
    calls(oslo),
    null,
  ),
  inPieces(
    ["arguments that end with commas and spaces between", null, "the call", "the call"],
    [piece({ index: 0, id: "a1" }, "get_weather", '{ "city" : "Oslo" } \n')],
    calls(oslo),
  ),
  inPieces(
    ["arguments within a fence of code", null, "a member that the tool refuses", "the call"],
    [piece({ index: 0, id: "a1" }, "get_weather", `\`\`\`json\n${OSLO}\n\`\`\``)],
    calls(oslo),
  ),
];
