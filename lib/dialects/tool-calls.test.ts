import { expect, test } from "vitest";
import { isRecord } from "../values/records";
import { ToolCalls } from "./tool-calls";

const OSLO = '{"city":"Oslo"}';
const ROME = '{"city":"Rome"}';

/** The calls that a client puts together of what is told. */
function assembled(deltas: readonly unknown[], offered: readonly string[] = []) {
  const calls = new ToolCalls(
    (index) => `made_${index}`,
    new Map(offered.map((name) => [name, name])),
  );
  const told: { id: unknown; name: unknown; text: string }[] = [];
  for (const piece of [...deltas.flatMap((delta) => calls.take(delta)), ...calls.end()]) {
    const called = isRecord(piece.function) ? piece.function : {};
    const index = Number(piece.index);
    // One call after the other, each begun with its id and its name.
    expect([told.length, told.length - 1]).toContain(index);
    if (index === told.length) told.push({ id: piece.id, name: called.name, text: "" });
    else expect([piece.id, called.name]).toEqual([undefined, undefined]);
    const [last] = told.slice(-1);
    if (last) last.text += called.arguments;
  }
  return { told, isBroken: calls.isBroken, count: calls.count };
}

const piece = (members: object, name?: unknown, text?: unknown) => [
  { ...members, function: { name, arguments: text } },
];
const oslo = (id: string) => ({ id, name: "look", text: OSLO });
const rome = (id: string) => ({ id, name: "look", text: ROME });
const [first, rest] = [OSLO.slice(0, 8), OSLO.slice(8)];

test.each([
  ["in one piece", [piece({ index: 0, id: "a" }, "look", OSLO)], [oslo("a")]],
  [
    "in pieces, with nulls and what is absent",
    [
      piece({ index: 0, id: "a" }, "look", null),
      piece({ index: 0, id: null }, null, first),
      [null, "no piece"],
      piece({ index: 0, id: "" }, "", rest),
      [{ index: 0 }, { index: 0, function: null }],
    ],
    [oslo("a")],
  ],
  ["as an object", [piece({ index: 0, id: "a" }, "look", { city: "Oslo" })], [oslo("a")]],
  ["as no list", piece({ index: 0, id: "a" }, "look", OSLO), [oslo("a")]],
  [
    "at one index, told apart by ids",
    [piece({ index: 0, id: "a" }, "look", OSLO), piece({ index: 0, id: "b" }, "look", ROME)],
    [oslo("a"), rome("b")],
  ],
  [
    "at one index, mixed, told apart by ids",
    [
      piece({ index: 0, id: "a" }, "look", first),
      piece({ index: 0, id: "b" }, "look", ROME.slice(0, 8)),
      piece({ index: 0, id: "a" }, undefined, rest),
      piece({ index: 0, id: "b" }, undefined, ROME.slice(8)),
    ],
    [oslo("a"), rome("b")],
  ],
  [
    "at two indices, mixed",
    [
      piece({ index: 3, id: "a" }, "look", ""),
      piece({ index: 5, id: "b" }, "look", ""),
      piece({ index: 3 }, undefined, first),
      piece({ index: 5 }, undefined, ROME),
      piece({ index: 3 }, undefined, rest),
    ],
    [oslo("a"), rome("b")],
  ],
  [
    "without ids at one index",
    [piece({ index: 0 }, "look", OSLO), piece({ index: 0 }, "look", ROME)],
    [oslo("made_0"), rome("made_1")],
  ],
  [
    "without ids and indices",
    [piece({}, "look", first), piece({}, undefined, rest), piece({}, "look", ROME)],
    [oslo("made_0"), rome("made_1")],
  ],
  [
    "without indices",
    [
      piece({ id: "a" }, "look", first),
      piece({ id: "a" }, "look", rest),
      piece({ id: "b" }, "look", ROME),
    ],
    [oslo("a"), rome("b")],
  ],
  [
    "with one id for two",
    [piece({ index: 0, id: "a" }, "look", OSLO), piece({ index: 1, id: "a" }, "look", ROME)],
    [oslo("a"), rome("made_1")],
  ],
  [
    "with an id for each piece",
    [piece({ index: 0, id: "a" }, "look", first), piece({ index: 0, id: "b" }, null, rest)],
    [oslo("a")],
  ],
  [
    "with its id after its name",
    [piece({ index: 0 }, "look", ""), piece({ index: 0, id: "a" }, "look", OSLO)],
    [oslo("made_0")],
  ],
  [
    "with its name after its arguments",
    [piece({ index: 0, id: "a" }, undefined, first), piece({ index: 0 }, "look", rest)],
    [oslo("a")],
  ],
  [
    "with its whole repeated at the end",
    [
      piece({ index: 0, id: "a" }, "look", first),
      piece({ index: 0 }, undefined, rest),
      piece({ index: 0, id: "a" }, "look", OSLO),
    ],
    [oslo("a")],
  ],
  [
    "with numbers for ids and texts for indices",
    [piece({ index: "0", id: 7 }, "look", first), piece({ index: "0" }, undefined, rest)],
    [oslo("7")],
  ],
  [
    "with nothing for arguments",
    [piece({ index: 0, id: "a" }, "b", ""), piece({ index: 1, id: "c" }, "d", "null")],
    [
      { id: "a", name: "b", text: "{}" },
      { id: "c", name: "d", text: "{}" },
    ],
  ],
])("calls %s are put together", (_how, deltas, calls) => {
  expect(assembled(deltas)).toEqual({ told: calls, isBroken: false, count: calls.length });
});

test.each(["look<|channel|>commentary", "functions.look:0", "default_api.look", " look"])(
  "%s is the offered tool",
  (name) => {
    expect(assembled([piece({ index: 0, id: "a" }, name, OSLO)], ["look"]).told).toEqual([
      oslo("a"),
    ]);
    expect(assembled([piece({}, name, OSLO)], ["lose"]).told).toMatchObject([{ name }]);
  },
);

test("an object without members waits for the real one until the next call, or the end", () => {
  const real = [piece({ index: 0, id: "a" }, "look", "{}"), piece({ index: 0 }, undefined, OSLO)];
  const next = [...real.slice(0, 1), piece({ index: 1, id: "b" }, "look", ROME)];
  expect(assembled(real).told).toEqual([oslo("a")]);
  expect(assembled([...next, piece({ index: 0 }, undefined, OSLO)]).told).toEqual([
    { ...oslo("a"), text: "{}" },
    rome("b"),
  ]);
});

test("a name that comes in pieces is one, where a tool of that name is offered", () => {
  const pieces = [piece({ index: 0, id: "a" }, "lo"), piece({ index: 0 }, "ok", OSLO)];
  expect(assembled(pieces, ["look", "lose"]).told).toEqual([oslo("a")]);
  const two = [piece({}, "look", ""), piece({}, "lose", OSLO)];
  expect(assembled(two, ["look", "lose"]).told).toEqual([
    { id: "made_0", name: "look", text: "{}" },
    { id: "made_1", name: "lose", text: OSLO },
  ]);
});

test("a signature of the upstream stays with its call", () => {
  const signed = { index: 0, id: "a", extra_content: { signature: "s" } };
  const calls = new ToolCalls(() => "", new Map());
  expect(calls.take(piece(signed, "look", OSLO))).toEqual([
    { ...signed, type: "function", function: { name: "look", arguments: OSLO } },
  ]);
});

test("a call without a name, or with half its arguments, breaks the answer", () => {
  const nameless = [piece({ index: 0, id: "a" }, null, OSLO), piece({ index: 1 }, "look", ROME)];
  expect(assembled(nameless)).toEqual({ told: [rome("made_0")], isBroken: true, count: 1 });
  const half = assembled([piece({ index: 0, id: "a" }, "look", first)]);
  expect(half).toEqual({ told: [{ ...oslo("a"), text: first }], isBroken: true, count: 1 });
});

test("what waits, and how many calls there are, is bounded", () => {
  const many = assembled(
    Array.from({ length: 1030 }, (_, index) => piece({ index, id: `a${index}` }, "look", "{}")),
  );
  expect([many.count, many.isBroken]).toEqual([1024, true]);
  const calls = new ToolCalls(() => "", new Map());
  const text = `{"a":"${"x".repeat(400_000)}`;
  for (let index = 0; index < 5; index++) calls.take(piece({ index, id: `b${index}` }, null, text));
  expect(calls.isBroken).toBe(true);
});
