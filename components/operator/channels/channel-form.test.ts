import { expect, test } from "vitest";
import { changeBody, createBody, emptyChannel, problemsOf } from "./channel-form";

const filled = {
  ...emptyChannel,
  name: " main ",
  baseUrl: "https://api.example.com/v1",
  models: { RelayV1: " gpt " },
};

test("a complete form is sent as entered; an empty key means none for a new channel and unchanged for an existing one", () => {
  expect(problemsOf(filled)).toEqual([]);
  expect(createBody(filled)).toMatchObject({
    name: "main",
    apiKey: null,
    models: { RelayV1: "gpt" },
    weight: 1,
    timeoutSeconds: null,
  });
  expect(changeBody(filled)).not.toHaveProperty("apiKey");
  expect(changeBody(filled)).not.toHaveProperty("protocol");
  expect(changeBody({ ...filled, apiKey: "k" })).toMatchObject({ apiKey: "k" });
});

test("video models are not sent after a change to a protocol without video", () => {
  const input = { ...filled, models: { RelayV1: "gpt", "Super-Relay": "video" } };
  expect(createBody({ ...input, protocol: "anthropic" }).models).toEqual({ RelayV1: "gpt" });
  expect(createBody({ ...input, protocol: "ark" }).models).toEqual(input.models);
  expect(
    problemsOf({ ...filled, protocol: "anthropic", models: { "Super-Relay": "video" } }),
  ).toEqual(["models"]);
});

test("allowed fields are sent as a list, and no chosen cap means the protocol's default", () => {
  expect(createBody(filled)).toMatchObject({ allowedFields: [], outputCap: null });
  const input = { ...filled, allowedFields: " thinking,  top_k", outputCap: "none" as const };
  expect(problemsOf(input)).toEqual([]);
  expect(createBody(input)).toMatchObject({
    allowedFields: ["thinking", "top_k"],
    outputCap: "none",
  });
});

test("every invalid field is named", () => {
  const wrong = {
    ...filled,
    name: " ",
    baseUrl: "ftp://x",
    apiKey: "a b",
    models: { RelayV1: "" },
    weight: "0",
    timeoutSeconds: "x",
    priority: "1.5",
    allowedFields: "thinking, a.b",
  };
  expect(problemsOf(wrong)).toEqual([
    "name",
    "baseUrl",
    "apiKey",
    "models",
    "allowedFields",
    "priority",
    "weight",
    "timeoutSeconds",
  ]);
});

test("further keys are sent by name; one that is left empty is kept, and a new one needs its key", () => {
  const kept = { name: "spare", weight: "3", apiKey: "", isNew: false };
  const input = { ...filled, credentials: [kept, { ...kept, name: "new", apiKey: " k " }] };
  expect(problemsOf(input)).toEqual([]);
  expect(createBody(input).credentials).toEqual([
    { name: "spare", weight: 3 },
    { name: "new", weight: 3, apiKey: "k" },
  ]);
  const wrong = [
    { ...kept, isNew: true },
    { ...kept, name: "main" },
    { ...kept, weight: "0" },
    { ...kept, apiKey: "a b" },
  ];
  for (const credential of wrong)
    expect(problemsOf({ ...filled, credentials: [credential] })).toEqual(["credentials"]);
  expect(problemsOf({ ...filled, credentials: [kept, kept] })).toEqual(["credentials"]);
});

test("headers are sent by name, one a line; what cannot be sent is named", () => {
  const input = { ...filled, headers: "Anthropic-Beta: a, b\n\n x-region:eu " };
  expect(problemsOf(input)).toEqual([]);
  expect(createBody(input).headers).toEqual({ "anthropic-beta": "a, b", "x-region": "eu" });
  for (const headers of ["no colon", "Authorization: x", "a: 1\nA: 2", "a:"])
    expect(problemsOf({ ...filled, headers })).toEqual(["headers"]);
});
