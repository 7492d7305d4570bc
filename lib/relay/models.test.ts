/** The list of models, whose entries a process keeps: it says what each entry says when read alone. */
import { expect, test } from "vitest";
import { changeSold, sellModel } from "@/testing/relay/sold-model";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import type { ModelEntry, ModelList } from "../contract/model-list";
import { answerRequest } from "../http/fetch-lane";

const relay = await opened(openTestRelay({ channels: [] }));

const id = "acme-listed";
const fileOf = (points: number, seconds: readonly number[]) => ({
  id,
  family: "video",
  spec: { durations: seconds, resolutions: ["480p"] },
  rates: [{ unit: "second", points }],
});

async function read<Answer>(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const request = new Request(`http://relay.test/v1${path}`, {
    headers: { authorization: "Bearer good", ...headers },
  });
  return (await answerRequest(relay.find, request)).json();
}

/** The list, which must be what its entries are. */
async function listed(): Promise<readonly ModelEntry[]> {
  const { data, ...rest } = await read<ModelList>("/models");
  expect(rest).toEqual({ object: "list" });
  for (const entry of data) expect(entry).toEqual(await read(`/models/${entry.id}`));
  const messages = await read<ModelList>("/models", { "anthropic-version": "2023-06-01" });
  expect(messages.data).toEqual(data.map((entry) => expect.objectContaining(entry)));
  return data;
}
const own = async () => {
  const entry = (await listed()).find((each) => each.id === id);
  return { points: entry?.pricing?.rates?.[0]?.points, can: entry?.capabilities };
};

test("a list that was kept follows prices, limits, multipliers and what is offered", async () => {
  expect(await own()).toEqual({ points: undefined, can: undefined });
  await sellModel(relay, fileOf(3, [4]));
  expect(await own()).toMatchObject({ points: 3, can: { durations: [4] } });
  await changeSold(relay, fileOf(5, [4]));
  expect(await own()).toMatchObject({ points: 5, can: { durations: [4] } });
  await changeSold(relay, fileOf(5, [4, 8]));
  expect(await own()).toMatchObject({ points: 5, can: { durations: [4, 8] } });
  // At more multipliers than are kept, and back at the first.
  for (const times of [...Array.from({ length: 20 }, (_, at) => at + 1), 1]) {
    const { principal } = relay.setting;
    relay.setting.principal = { ...principal, multiplierPpm: () => times * 100_000 };
    expect((await own()).points).toBe((5 * times) / 10);
  }
});
