/**
 * Tests the messages of refusals: the field, what was sent, and what the schema allows, in the
 * schema's own words.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import { chatRequest } from "../contract/chat";
import { imageRequest } from "../contract/image";
import { usageQuery } from "../contract/own-account";
import { videoTaskRequest } from "../contract/video-task";
import { validate } from "./validate";

function refusalOf(schema: z.ZodType, body: unknown): unknown {
  try {
    validate(schema, body);
  } catch (error) {
    return error;
  }
  return null;
}

const chat = (content: unknown) => ({ model: "m", messages: [{ role: "user", content }] });
const task = (item: unknown) => ({ model: "m", content: [item] });
const parts = "`messages[0].content` is 5: it must be a string or an array of parts.";

test.each([
  ["a chat's content of another type", chatRequest, chat(5), "invalid_value", parts],
  [
    "a part of another type",
    chatRequest,
    chat([{ type: "video" }]),
    "unsupported_value",
    '`messages[0].content[0].type` is "video": it must be "text", "image_url", "input_audio" or "file".',
  ],
  [
    "a part without a type",
    chatRequest,
    chat([{ text: "x" }]),
    "missing_required_parameter",
    '`messages[0].content[0].type` is missing: it must be "text", "image_url", "input_audio" or "file".',
  ],
  [
    "a part that is none",
    chatRequest,
    chat([5]),
    "invalid_value",
    "`messages[0].content[0]` is 5: it must be an object.",
  ],
  [
    "no parts",
    chatRequest,
    chat([]),
    "invalid_value",
    "`messages[0].content` is an array: it must have at least 1 item.",
  ],
  [
    "an item of a video task of another type",
    videoTaskRequest,
    task({ type: "file_url" }),
    "unsupported_value",
    '`content[0].type` is "file_url": it must be "text", "image_url", "video_url", "audio_url" or "draft_task".',
  ],
  [
    "an image of another type",
    imageRequest,
    { model: "m", prompt: "p", image: 5 },
    "invalid_value",
    "`image` is 5: it must be the URL of an image, or an array of such URLs.",
  ],
  [
    "a body that is none",
    chatRequest,
    [],
    "invalid_value",
    "The body must be a JSON object, not an array.",
  ],
  [
    "a text without the form of a day",
    usageQuery,
    { from: "yesterday" },
    "invalid_value",
    '`from` is "yesterday": it must be a date, such as 2026-01-31.',
  ],
  [
    "parameters beyond the schema",
    usageQuery,
    { since: "2026-01-01", until: "2026-01-31" },
    "unknown_parameter",
    "The request has the unknown parameters `since`, `until`.",
  ],
] as const)("%s is refused in the schema's words", (_, schema, body, code, message) => {
  expect(refusalOf(schema, body)).toMatchObject({ code, message });
});

test("a union's own error says what it accepts, whatever the schema", () => {
  const shape = z.discriminatedUnion(
    "kind",
    [z.object({ kind: z.literal("circle") }), z.object({ kind: z.literal("square") })],
    {
      error: 'it must be "circle" or "square"',
    },
  );
  const size = z.union([z.string(), z.int()], { error: "it must be a name or a number" });
  const schema = z.object({ shape, size });
  expect(refusalOf(schema, { shape: { kind: "line" }, size: 1 })).toMatchObject({
    code: "unsupported_value",
    message: '`shape.kind` is "line": it must be "circle" or "square".',
  });
  expect(refusalOf(schema, { shape: { kind: "circle" }, size: true })).toMatchObject({
    code: "invalid_value",
    message: "`size` is true: it must be a name or a number.",
  });
});
