/** Commands about models, two at once. */
import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { replaceCatalogue } from "../catalog/models";
import { modelText } from "../client/model-text";
import { readCatalogue } from "../model-book/read-models";
import { offerModel, restoreModel, retireModel } from "./model-states";
import { changeModel, createModel } from "./models";
import { setPrice, withdrawPrice } from "./prices";
import { noteUpstreamPrice } from "./upstream-prices";

const site = await opened(startSiteProcess());

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

test("a price and a cost can be noted of a model right after it was made", async () => {
  await make("fresh");
  const rates = [{ unit: "output_token", amount: 2n }] as const;
  await setPrice(site.deps, "test", { model: "FRESH", rates, effectiveAt: null });
  const price = { currency: "USD", input: 1n, output: 2n };
  await noteUpstreamPrice(site.deps, "test", { subject: "fresh-alias", price });
  const text = "select subject from upstream_price";
  expect((await site.deps.pool.query(text)).rows).toEqual([{ subject: "fresh" }]);
});

test("two models never retire in favour of each other", async () => {
  for (const id of ["one", "two"]) {
    await make(id);
    await offer(id);
  }
  const ends = await Promise.allSettled([retire("one", "two"), retire("two", "one")]);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

const tomorrow = () => new Date(Date.now() + 86_400_000);

test("only what is offered replaces another; a replacement may retire later, and be replaced itself", async () => {
  for (const id of ["old", "newer", "newest"]) {
    await make(id);
    await offer(id);
  }
  await retireModel(site.deps, "test", { id: "newer", on: tomorrow(), replacedBy: "newest" });
  await expect(retire("old", "newer")).rejects.toThrow("newer, which is retiring: name an offered");
  await restoreModel(site.deps, "test", { id: "newer", anyway });
  await retire("old", "newer");
  await retire("newer", "newest");
  await expect(retire("newest", "old")).rejects.toThrow("old, which is retired: name an offered");
  await expect(retire("newest", "newer")).rejects.toThrow("which is retired");
});

test("a model whose date has passed has retired: it gets no other date, and can be offered again", async () => {
  await make("dated");
  await offer("dated");
  const on = new Date(Date.now() + 200);
  await retireModel(site.deps, "test", { id: "dated", on, replacedBy: null });
  await expect.poll(() => Date.now()).toBeGreaterThan(on.getTime());
  const again = retireModel(site.deps, "test", { id: "dated", on: tomorrow(), replacedBy: null });
  await expect(again).rejects.toThrow("dated is retired: it must be offered or retiring");
  await expect(retire("race", "dated")).rejects.toThrow("dated, which is retired");
  expect(await restoreModel(site.deps, "test", { id: "dated", anyway })).toMatchObject({
    state: "offered",
  });
});

test("a price withdrawn under an offered model leaves the one before it, and never none", async () => {
  const second = (resolution: string, points: bigint) =>
    ({ unit: "second", resolution, amount: points * 1_000_000n }) as const;
  const spec = { durations: [4], resolutions: ["480p", "720p"] };
  const rates = ["480p", "720p"].map((resolution) => ({ unit: "second", resolution, points: 2 }));
  const id = "withdrawn";
  await createModel(site.deps, "test", { id, family: "video", spec, rates });
  await createModel(site.deps, "test", { id: "priceless", family: "video", spec });
  await offer(id);
  replaceCatalogue(await readCatalogue(site.deps.pool));
  const later = (days: number, ...given: ReturnType<typeof second>[]) => {
    const effectiveAt = new Date(Date.now() + days * 86_400_000);
    return setPrice(site.deps, "test", { model: id, rates: given, effectiveAt });
  };
  const one = await later(1, second("480p", 3n), second("720p", 3n));
  const two = await later(2, second("480p", 4n), second("720p", 4n));
  await expect(later(3, second("480p", 5n))).rejects.toThrow("no rate for second resolution=720p");
  await withdrawPrice(site.deps, "test", { id: one.id });
  await withdrawPrice(site.deps, "test", { id: two.id });
  // Now a wider model is refused, as the price that is in force lacks its resolution.
  const wider = { ...spec, resolutions: ["480p", "720p", "1080p"] };
  await later(1, second("480p", 6n), second("720p", 6n), second("1080p", 6n));
  const widen = changeModel(site.deps, "test", {
    id,
    content: { id, family: "video", spec: wider },
  });
  await expect(widen).rejects.toThrow("no rate for second resolution=1080p");
  const { rows } = await site.deps.pool.query<{ action: string }>(
    "select action from operator_action where subject = $1 order by seq",
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    ...["model.create", "model.offer", "price.set", "price.set"],
    ...["price.withdraw", "price.withdraw", "price.set"],
  ]);
  // The only price of a draft, to come, has none before it.
  const effectiveAt = tomorrow();
  const only = await setPrice(site.deps, "test", {
    model: "priceless",
    rates: [second("480p", 1n)],
    effectiveAt,
  });
  await expect(withdrawPrice(site.deps, "test", { id: only.id })).rejects.toThrow(
    "has no price before this one",
  );
  await expect(offer("priceless")).rejects.toThrow("has no rates");
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

test("a name in one language is enough, and readers of the other one see it", async () => {
  const file = (id: string, names: object) => ({
    id,
    family: "text",
    spec: { output_tokens_max: 1000 },
    names,
  });
  const words = { title: "One", sentence: "In one language." };
  for (const language of ["en", "zh-CN"]) {
    const model = await createModel(
      site.deps,
      "cli",
      file(`acme-${language.toLowerCase()}`, { [language]: words }),
    );
    for (const locale of ["en", "zh-CN"])
      expect(modelText(model, locale, (key) => key)).toBe("In one language.");
  }
  await expect(createModel(site.deps, "cli", file("acme-none", {}))).rejects.toMatchObject({
    param: "names",
    message: expect.stringContaining("en, zh-CN or both"),
  });
});
