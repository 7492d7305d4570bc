/** Tests that the sign-in library gets flat text only, whatever the client sent. */
import { expect, test } from "vitest";
import { readAuthForm } from "./auth-form";

function post(body: string): Request {
  const headers = { "content-type": "application/json" };
  return new Request("http://localhost/api/auth/callback/credentials", {
    method: "POST",
    headers,
    body,
  });
}

test("flat values are passed on as text", async () => {
  const form = await readAuthForm(post('{"email":"a@example.com","remember":true,"count":2}'));
  expect([...form]).toEqual([
    ["email", "a@example.com"],
    ["remember", "true"],
    ["count", "2"],
  ]);
});

test.each([
  ["null", "null"],
  ["a list", '["a"]'],
  ["an object whose `toString` is no function", '{"toString":"a","valueOf":"b"}'],
  ["such an object in a list", '[{"toString":"a"}]'],
  ["a text that is too long", JSON.stringify("a".repeat(8193))],
])("%s is refused with the name of its field", async (_what, value) => {
  await expect(readAuthForm(post(`{"email":"a@example.com","n":${value}}`))).rejects.toMatchObject({
    code: "invalid_value",
    param: "n",
  });
});
