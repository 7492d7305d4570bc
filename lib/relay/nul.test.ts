import { expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { endpoints } from "../contract/endpoints";

const relay = await opened(openTestRelay({ channels: [] }));

const bodies: Partial<Record<string, readonly [Record<string, unknown>, string][]>> = {
  createImage: [
    [{ model: "super-relay-img", prompt: "a\0b" }, "prompt"],
    [{ model: "super-relay-img", prompt: "a", user: "\0" }, "user"],
    [{ model: "super-relay-img\0", prompt: "a" }, "model"],
    [{ model: "super-relay-img", prompt: "a", image: ["https://a.example/\0"] }, "image[0]"],
  ],
  createImageEdit: [
    [{ model: "super-relay-img", prompt: "a\0b", image: "https://a.example/1.png" }, "prompt"],
  ],
  createVideoJob: [[{ model: "super-relay-2", prompt: "a\0b" }, "prompt"]],
  createApiKey: [[{ name: "a\0b" }, "name"]],
  changeApiKey: [[{ models: ["\0"] }, "models[0]"]],
  changeMember: [[{ budget_zone: "U\0TC" }, "budget_zone"]],
  createInvitation: [[{ role: "viewer", email: "a\0b@example.com" }, "email"]],
  createVideo: [[{ model: "super-relay-2", prompt: "a\0b" }, "prompt"]],
  createVideoTask: [
    [{ model: "super-relay", content: [{ type: "text", text: "a\0b" }] }, "content[0].text"],
    [
      {
        model: "super-relay",
        content: [{ type: "text", text: "a" }],
        callback_url: "https://a.example/\0",
      },
      "callback_url",
    ],
  ],
};

test("every endpoint that stores texts refuses a NUL in them by field name, before points are held", async () => {
  const keeping = Object.values(endpoints).filter((row) => "storesText" in row && row.storesText);
  expect(keeping.map(({ name }) => name).sort()).toEqual(Object.keys(bodies).sort());
  for (const { name, path, method, admits } of keeping) {
    const [admitted] = admits;
    for (const [body, param] of bodies[name] ?? []) {
      const answer = await relay.send(path, {
        method,
        body: JSON.stringify(body),
        headers: { authorization: admitted === "managementKey" ? "Bearer manage" : "Bearer good" },
      });
      expect([name, answer.status, answer.json.error?.param]).toEqual([name, 400, param]);
    }
  }
});

test("a NUL in a path or a query of the API is a client error", async () => {
  for (const { name, method, path } of Object.values(endpoints)) {
    const answer = await relay.fetch(`${path.replaceAll(/\{\w+\}/g, "a%00b")}?group_by=a%00b`, {
      method,
    });
    expect([name, answer.status < 500], `${name} ${answer.status}`).toEqual([name, true]);
    await answer.body?.cancel();
  }
  expect(await relay.send("/v1/usage?from=%00")).toMatchObject({
    status: 400,
    json: { error: { param: "from" } },
  });
});
