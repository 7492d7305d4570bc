import { expect, test } from "vitest";
import { errorOf, serveEndpoints } from "@/testing/http/serve-endpoints";

const { post } = serveEndpoints();

test.each([
  [{}, "model", "missing_required_parameter"],
  [{ model: 5, messages: [] }, "model", "invalid_value"],
  [{ model: "m" }, "messages", "missing_required_parameter"],
  [{ model: "m", messages: [] }, "messages", "invalid_value"],
  [{ model: "m", messages: "x" }, "messages", "invalid_value"],
  [
    { model: "m", messages: [{ role: "owner", content: "x" }] },
    "messages[0].role",
    "invalid_value",
  ],
  [{ model: "m", messages: [{ content: "x" }] }, "messages[0].role", "missing_required_parameter"],
  [
    { model: "m", messages: [{ role: "user" }] },
    "messages[0].content",
    "missing_required_parameter",
  ],
  [
    { model: "m", messages: [{ role: "user", content: null }] },
    "messages[0].content",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: 5 }] },
    "messages[0].content",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: [{ type: "video" }] }] },
    "messages[0].content[0].type",
    "unsupported_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: [{ type: "image_url" }] }] },
    "messages[0].content[0].image_url",
    "missing_required_parameter",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], max_tokens: 0 },
    "max_tokens",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], max_tokens: "9" },
    "max_tokens",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], max_completion_tokens: 2 ** 53 },
    "max_completion_tokens",
    "invalid_value",
  ],
  [{ model: "m", messages: [{ role: "user", content: "x" }], n: 9 }, "n", "n_not_supported"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], n: "1" }, "n", "n_not_supported"],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], best_of: 3 },
    "best_of",
    "unsupported_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], models: "other" },
    "models",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], service_tier: 2 },
    "service_tier",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], stream: "true" },
    "stream",
    "invalid_value",
  ],
  [
    { model: "m", messages: [{ role: "user", content: "x" }], stream_options: [] },
    "stream_options",
    "invalid_value",
  ],
])("%j is refused with the path of the field", async (body, param, code) => {
  const error = await errorOf(post(JSON.stringify(body)));
  expect(error).toMatchObject({ status: 400, param, code });
  expect(error.message).toContain(`\`${param}\``);
});

test("assistant turns without text, tool turns and neutral values are accepted", async () => {
  const messages = [
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "assistant", tool_calls: [{ id: "1" }] },
    { role: "tool", tool_call_id: "1", content: "x" },
    {
      role: "user",
      content: [
        { type: "text", text: "" },
        { type: "image_url", image_url: { url: "https://example.org/a.png" } },
      ],
    },
  ];
  const neutral = {
    n: null,
    best_of: 1,
    service_tier: "auto",
    modalities: ["text"],
    models: null,
    stream: null,
    stream_options: null,
    max_tokens: null,
  };
  expect((await post(JSON.stringify({ model: "m", messages, ...neutral }))).status).toBe(200);
});
