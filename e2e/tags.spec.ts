import { expect, newEmail, newKey, signInAnew, test } from "./product";

test("requests with tags are found by them on the usage page", async ({ page, baseURL }) => {
  const email = await signInAnew(page, newEmail());
  const key = await newKey(email, "tagged");
  for (const tags of ["team=a, job=7", "team=b"]) {
    const answer = await fetch(`${baseURL}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-relay-tags": tags,
      },
      body: JSON.stringify({ model: "RelayV1", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  const read = async (query: string) => {
    const answer = await fetch(`${baseURL}/v1/usage?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: { tag?: string; requests: number }[] };
    return data.map(({ tag, requests }) => [tag, requests]);
  };
  expect(await read("group_by=tag&group_tag=team")).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  await page.goto("/usage");
  await page.getByRole("combobox", { name: "Tag" }).selectOption("team=a");
  await expect(page).toHaveURL(/tag=team%3Da/);
  const requests = page.getByRole("region", { name: "Requests" });
  await expect(requests.getByRole("row", { name: /RelayV1/ })).toHaveCount(1);
});
