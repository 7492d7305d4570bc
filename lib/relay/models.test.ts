/** The list of models, whose entries a process keeps: it says what each entry says when read alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPricedRelay, type PricedRelay } from "@/testing/relay/priced-relay";
import { changeSold, sellModel } from "@/testing/relay/sold-model";
import { type Catalogue, replaceCatalogue } from "../catalog/models";
import type { ModelEntry, ModelList } from "../contract/model-list";
import { answerRequest } from "../http/fetch-lane";

let site: PricedRelay;
let before: Catalogue | undefined;
beforeAll(async () => {
  site = await openPricedRelay(1_000_000);
});
afterAll(async () => {
  if (before) replaceCatalogue(before);
  await site.close();
});

const id = "acme-listed";
const fileOf = (points: number, seconds: readonly number[]) => ({
  id,
  family: "video",
  spec: { durations: seconds, resolutions: ["480p"] },
  rates: [{ unit: "second", points }],
});

async function read<Answer>(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { find, accountId } = site.relay;
  const request = new Request(`http://relay.test/v1${path}`, { headers });
  return (await answerRequest(find, request, { accountId })).json();
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
  before = await sellModel(site.relay, fileOf(3, [4]));
  expect(await own()).toMatchObject({ points: 3, can: { durations: [4] } });
  await changeSold(site.relay, fileOf(5, [4]));
  expect(await own()).toMatchObject({ points: 5, can: { durations: [4] } });
  await changeSold(site.relay, fileOf(5, [4, 8]));
  expect(await own()).toMatchObject({ points: 5, can: { durations: [4, 8] } });
  // One account after the other, at more multipliers than are kept.
  for (let at = 1; at <= 20; at++) {
    const ppm = at * 100_000;
    await site.relay.pool.query("update account set own_multiplier_ppm = $2 where id = $1", [
      site.relay.accountId,
      ppm,
    ]);
    await expect.poll(async () => (await own()).points).toBe((5 * ppm) / 1_000_000);
  }
});
