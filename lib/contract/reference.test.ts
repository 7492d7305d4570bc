import { expect, test } from "vitest";
import {
  functionFields,
  imageUrlFields,
  messageFields,
  ownChatFields,
  partFields,
  passingChatFields,
  streamOptionFields,
  toolFields,
} from "./chat-fields";
import { endpointGroups } from "./endpoint";
import { endpoints } from "./endpoints";
import { allowedValues } from "./neutral";
import { apiReference } from "./reference";
import { fieldsOf } from "./reference-fields";

const entries = apiReference();
const entryOf = (name: keyof typeof endpoints) => entries.find((entry) => entry.name === name);
const fieldsOfEntry = ({
  parameters,
  query,
  headers,
  body,
  answer,
  event,
}: (typeof entries)[number]) => [parameters, query, headers, body, answer, event].flat();

test("the reference has every endpoint in the table's order, and each group has some", () => {
  expect(entries.map(({ name }) => name)).toEqual(Object.keys(endpoints));
  expect(new Set(entries.map(({ group }) => group))).toEqual(new Set(endpointGroups));
});

test("every field has a type and a sentence, and none is listed twice", () => {
  for (const entry of entries) {
    for (const list of [entry.query, entry.headers, entry.body, entry.answer, entry.event]) {
      const names = list.map(({ name }) => name);
      expect(new Set(names).size, entry.name).toBe(names.length);
    }
    for (const { name, types, description } of fieldsOfEntry(entry)) {
      expect(types, `${entry.name} ${name}`).not.toEqual([]);
      expect(description, `${entry.name} ${name}`).toMatch(/^\S.*[^\s.]$/);
    }
  }
});

test("a schema without a type, and a form of text without a word, have no entry", () => {
  for (const unsaid of [{}, { type: "string", pattern: "^a" }, { type: "string", format: "ipv4" }])
    expect(() => fieldsOf({ properties: { unsaid } })).toThrow("no word for the type");
});

test("members, items and alternatives are listed by path", () => {
  const chat = entryOf("createChatCompletion");
  const field = (name: string) => chat?.body.find((each) => each.name === name);
  expect(field("model")).toMatchObject({ types: ["string"], isRequired: true });
  expect(field("stream")).toMatchObject({
    types: ["boolean", "null"],
    isRequired: false,
    defaultValue: "false",
  });
  expect(field("messages[].content")?.types).toEqual(["string", { listOf: ["object"] }, "null"]);
  expect(field("messages[].content[].type")?.values).toEqual([
    '"text"',
    '"image_url"',
    '"input_audio"',
    '"file"',
  ]);
  expect(field("messages[].content[].text")).toMatchObject({
    isRequired: true,
    when: 'type: "text"',
  });
  expect(field("messages[].content[].image_url.url")?.types).toEqual(["string"]);
  const image = entryOf("createImage")?.body.find(({ name }) => name === "image");
  expect(image?.types).toEqual(["url", "dataUrl", { listOf: ["url", "dataUrl"] }, "null"]);
  expect(entryOf("getUsage")?.query.map(({ name }) => name)).toEqual([
    "from",
    "to",
    "group_by",
    "group_tag",
    "tags",
  ]);
  expect(entryOf("getVideoTask")?.parameters.map(({ name }) => name)).toEqual(["id"]);
  const headers = entryOf("createImage")?.headers.map(({ name }) => name);
  expect(headers).toEqual(["Idempotency-Key", "x-relay-tags", "Prefer"]);
});

test("chat fields that are passed on are listed where they stand", () => {
  const names = entryOf("createChatCompletion")?.body.map(({ name }) => name) ?? [];
  const under = (prefix: string, fields: Iterable<string>) =>
    [...fields].map((field) => prefix + field);
  const expected = [
    ...Object.keys(passingChatFields),
    ...ownChatFields,
    ...under("messages[].", messageFields),
    ...under(
      "messages[].content[].",
      Object.values(partFields).flatMap((names) => [...names]),
    ),
    ...under("messages[].content[].image_url.", imageUrlFields),
    ...under("stream_options.", streamOptionFields),
    ...under("tools[].", toolFields),
    ...under("tools[].function.", functionFields),
  ];
  expect(expected.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.indexOf("messages[].tool_calls")).toBeLessThan(names.indexOf("stream"));
});

test("a field that is accepted only without effect says so", () => {
  for (const row of [endpoints.createChatCompletion, endpoints.createImage, endpoints.createVideo])
    for (const [name, schema] of Object.entries(row.request.shape))
      if (allowedValues.has(schema))
        expect(schema.description, `${row.name} ${name}`).toMatch(/no effect|^Not supported/);
});
