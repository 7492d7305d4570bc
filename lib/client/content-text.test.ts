import { expect, test } from "vitest";
import { answeredText } from "../contract/answered-text";
import { askedTurns } from "./content-text";

const stream = (...events: object[]) =>
  events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("");

test("the turns of each API of text are read in order, with what is no text named", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,…" } };
  const content = [{ type: "text", text: "What is this?" }, image];
  const chat = {
    model: "m",
    messages: [
      { role: "system", content: "Be brief" },
      { role: "user", content },
    ],
  };
  expect(askedTurns(JSON.stringify(chat))).toEqual([
    { role: "system", text: "Be brief" },
    { role: "user", text: "What is this?\n[image_url]" },
  ]);
  const messages = { system: "Be brief", messages: [{ role: "user", content: "Hi" }] };
  expect(askedTurns(JSON.stringify(messages))?.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(askedTurns(JSON.stringify({ input: "Hi" }))).toEqual([{ role: "user", text: "Hi" }]);
  const items = [
    { role: "user", content: "Hi" },
    { type: "function_call_output", output: "42" },
  ];
  expect(askedTurns(JSON.stringify({ input: items }))?.[1]).toEqual({
    role: "function_call_output",
    text: "42",
  });
  for (const other of ["no json", "[]", "{}"]) expect(askedTurns(other)).toBeNull();
});

test("the text of an answer is read from the whole and from the stream of each API", () => {
  const whole = [
    { choices: [{ message: { role: "assistant", content: "Hello" } }] },
    { content: [{ type: "text", text: "Hello" }] },
    { output: [{ type: "reasoning" }, { content: [{ type: "output_text", text: "Hello" }] }] },
  ];
  for (const body of whole) expect(answeredText(JSON.stringify(body))).toBe("Hello");
  const choice = (content: string) => ({ choices: [{ delta: { content } }] });
  expect(answeredText(`${stream(choice("Hel"), choice("lo"))}data: [DONE]\n\n`)).toBe("Hello");
  const block = (text: string) => ({ type: "content_block_delta", delta: { text } });
  expect(answeredText(stream(block("Hel"), block("lo")))).toBe("Hello");
  const part = (delta: string) => ({ type: "response.output_text.delta", delta });
  expect(answeredText(stream(part("Hel"), part("lo"), { type: "other", delta: "x" }))).toBe(
    "Hello",
  );
});
