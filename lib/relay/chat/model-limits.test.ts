import { expect, test } from "vitest";
import { firstModelOf } from "../../catalog/models";
import { chatRequest } from "../../contract/chat";
import { assertWithinModel } from "./model-limits";

const url = "https://images.example.com/a.png";
const picture = {
  messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
};
const hello = { messages: [{ role: "user", content: "hello" }] };
const tool = { type: "function", function: { name: "now" } };

const whole = firstModelOf("text");
const plain = { ...whole, id: "plain", hasTools: false, inputTokensPerImageMax: null };
const assertTaken = (body: object, model: typeof whole) =>
  assertWithinModel(chatRequest.parse({ model: model.id, ...body }), model);

test("a model without tools or images refuses them and takes the rest", () => {
  expect(() => assertTaken({ ...hello, tools: [tool] }, plain)).toThrow("plain calls no functions");
  expect(() => assertTaken(picture, plain)).toThrow("plain takes text only");
  assertTaken(hello, plain);
});

test("a model with both takes both", () => {
  assertTaken({ ...picture, tools: [tool] }, whole);
});
