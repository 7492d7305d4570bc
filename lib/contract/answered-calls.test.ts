import { expect, test } from "vitest";
import { answeredCalls } from "./answered-calls";

const call = (index: number, name: string | undefined, text: string) => ({
  index,
  function: { ...(name && { name }), arguments: text },
});
const event = (...calls: object[]) =>
  `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] })}\n\n`;

test("calls of a stream are put together from its events", () => {
  const output = `${event(call(0, "weather", '{"city"'))}${event(call(0, undefined, ':"Rome"}'), call(1, "time", "{}"))}data: [DONE]\n\n`;
  expect(answeredCalls(output)).toEqual([
    { name: "weather", arguments: '{"city":"Rome"}' },
    { name: "time", arguments: "{}" },
  ]);
});

test("calls of a whole answer are read, and what has another form is passed over", () => {
  const message = { tool_calls: [call(7, "weather", "{}")] };
  expect(answeredCalls(JSON.stringify({ choices: [{ message }] }))).toEqual([
    { name: "weather", arguments: "{}" },
  ]);
  for (const output of ["", "{}", '{"content":[]}', event(call(9e8, "far", "")), event({})])
    expect(answeredCalls(output)).toEqual([]);
});
