/** Commands about models, two at once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { offerModel, retireModel } from "./model-states";
import { changeModel, createModel } from "./models";

let site: SiteProcess;
beforeAll(async () => {
  site = await startSiteProcess();
});
afterAll(() => site.close());

const fileOf = (id: string, output: number) => ({
  id,
  family: "text",
  aliases: [`${id}-alias`],
  spec: { output_tokens_max: output },
  rates: [{ unit: "output_token", points: 1 }],
});
const anyway = "for a test";

async function twice(work: () => Promise<unknown>): Promise<string[]> {
  const ends = await Promise.allSettled([work(), work()]);
  return ends.map((end) => (end.status === "fulfilled" ? "done" : String(end.reason.code))).sort();
}
const make = (id: string) => createModel(site.deps, "test", fileOf(id, 10));
const offer = (id: string) => offerModel(site.deps, "test", { id, anyway });
const retire = (id: string, replacedBy: string) =>
  retireModel(site.deps, "test", { id, on: null, replacedBy });

test("of two that make, change or offer the same, one does it and the other is told", async () => {
  expect(await twice(() => make("race"))).toEqual(["already_exists", "done"]);
  const content = { ...fileOf("race", 20), rates: undefined };
  const change = () => changeModel(site.deps, "test", { id: "race", content });
  expect(await twice(change)).toEqual(["done", "invalid_value"]);
  expect(await twice(() => offer("race"))).toEqual(["done", "invalid_value"]);
  const text = "select action from operator_action where subject = 'race' order by seq";
  const { rows } = await site.deps.pool.query<{ action: string }>(text);
  const once = ["model.create", "model.change", "model.offer"];
  expect(rows.map(({ action }) => action)).toEqual(once);
});

test("two models never retire in favour of each other", async () => {
  for (const id of ["one", "two"]) {
    await make(id);
    await offer(id);
  }
  const ends = await Promise.allSettled([retire("one", "two"), retire("two", "one")]);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a change of names alone is a change that the record shows", async () => {
  const named = (title: string) => ({
    id: "acme-named",
    family: "text",
    spec: { output_tokens_max: 1000 },
    names: { en: { title, sentence: "S." }, "zh-CN": { title, sentence: "S." } },
  });
  const change = (title: string) =>
    changeModel(site.deps, "cli", { id: "acme-named", content: named(title) });
  await createModel(site.deps, "cli", named("One"));
  await change("Two");
  const { rows } = await site.deps.pool.query(
    "select detail from operator_action where subject = 'acme-named' order by seq desc limit 1",
  );
  expect(rows[0].detail.before.names).toContain("One");
  expect(rows[0].detail.after.names).toContain("Two");
  await expect(change("Two")).rejects.toThrow("already as the file has it");
});
