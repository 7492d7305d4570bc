/** The rows of the catalogue, their rules, and the snapshot that a process keeps of them. */
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { builtInModels } from "../catalog/built-in";
import { catalogue, findModel, isOffered, type Model } from "../catalog/models";
import { openChanges } from "../db/changes";
import { createModelBook } from "./model-book";
import { readCatalogue } from "./read-models";

const url = await createTestDatabase();
const pool = await opened(new pg.Pool({ connectionString: url, max: 4 }));
/** May do more than the product itself, and is bound by the same rules. */
const owner = await opened(new pg.Pool({ connectionString: ownerUrlOf(url), max: 1 }));

const TEXT = JSON.stringify({ output_tokens_max: 1000 });
const insertModel = (id: string) =>
  pool.query("insert into model (id, family, created_by) values ($1, 'text', 'test')", [id]);
const addVersion = (id: string, number: number, aliases: string[], spec = TEXT) =>
  pool.query(
    "insert into model_version (model_id, number, aliases, spec, created_by) values ($1, $2, $3, $4, 'test')",
    [id, number, aliases, spec],
  );
const refused = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { constraint?: string; message: string }) => error.constraint ?? error.message,
  );

test("a migration makes the built-in models as the seed has them, and in its order", async () => {
  const stored = (await readCatalogue(pool)).models.map((model) => ({ ...model, versionId: null }));
  const seed = builtInModels.map(({ defaultPrice: _, ...model }) => model);
  expect(stored).toEqual(seed);
  const sizesOf = (models: readonly Model[]) =>
    models.map((model) => (model.family === "image" ? Object.keys(model.ratioSizes) : []));
  expect(sizesOf(stored)).toEqual(sizesOf(seed));
});

/** A built-in model's next version, with one limit changed that its family has. */
const otherLimits = `
insert into model_version (model_id, number, aliases, names, spec, created_by)
select model_id, number + 1, aliases, names, (spec::jsonb || jsonb_build_object(key, 5))::json, 'test'
  from model_version, jsonb_each(spec::jsonb)
 where model_id = $1 and number = 1 and key in ('output_tokens_max', 'durations', 'side_pixels_max')`;
const nextVersion = (aliases: string, names: string) => `
insert into model_version (model_id, number, aliases, names, spec, created_by)
select model_id, number + 1, ${aliases}, ${names}, spec, 'test' from model_version where model_id = $1 and number = 1`;

test.each(builtInModels.map(({ id }) => id))(
  "the limits, names and family of %s cannot be changed, even by the owner of the database",
  async (id) => {
    const change = (sql: string) => refused(owner.query(sql, [id]));
    expect(await change(otherLimits)).toBe("model_built_in");
    expect(await change(nextVersion("aliases || array['mine']", "names"))).toBe("model_built_in");
    for (const set of ["family = 'text' || family", "is_built_in = false", "id = 'mine'"])
      expect(await change(`update model set ${set} where id = $1`)).toBe("model_keeps");
    const rewritten = "update model_version set spec = '{}' where model_id = $1";
    const kept = /refused by/;
    expect(await change(rewritten)).toMatch(kept);
    expect(await change("delete from model_version where model_id = $1")).toMatch(kept);
    expect(await change("delete from model where id = $1")).toMatch(kept);
    // What pages say of it may be.
    const named = nextVersion("aliases", `'{"en": {}}'`);
    expect(await refused(owner.query(`begin; ${named.replace("$1", `'${id}'`)}; rollback`))).toBe(
      "done",
    );
  },
);

test("a name belongs to one model, whatever its case, and versions come in their order", async () => {
  await insertModel("Acme-One");
  await addVersion("Acme-One", 1, ["acme"]);
  await insertModel("acme-two");
  expect(await refused(addVersion("acme-two", 1, ["ACME"]))).toBe("model_name_once");
  expect(await refused(addVersion("acme-two", 1, ["relay-V1"]))).toBe("model_name_once");
  expect(await refused(addVersion("acme-two", 1, ["no spaces"]))).toBe("model_name_form");
  expect(await refused(addVersion("Acme-One", 3, ["acme"]))).toBe("model_version_once");
  const change = "update model_version set number = 9 where model_id = 'Acme-One'";
  expect(await refused(pool.query(change))).not.toBe("done");
});

test("a model goes from draft to offered to retired and back, and no other way", async () => {
  await insertModel("steps");
  const to = (state: string, date: string | null = null) =>
    refused(
      pool.query("update model set state = $2, retires_at = $3 where id = $1", [
        "steps",
        state,
        date,
      ]),
    );
  expect(await to("retired")).toBe("model_states");
  expect(await to("offered")).toBe("done");
  expect(await to("draft")).toBe("model_states");
  expect(await to("retiring")).toBe("model_retiring_has_a_date");
  expect(await to("retiring", dayFromNow(40))).toBe("done");
  expect(await to("retired")).toBe("done");
  expect(await to("offered")).toBe("done");
});

test("a process reads a change within 5 seconds, and ends a retiring model at its date", async () => {
  const changes = await openChanges(url);
  const book = await createModelBook({ pool, changes });
  const before = catalogue();
  await insertModel("acme-new");
  await addVersion("acme-new", 1, ["acme-n"]);
  await pool.query("update model set state = 'offered' where id = 'acme-new'");
  await expect.poll(() => findModel("acme-n")?.state, { timeout: 5000 }).toBe("offered");
  expect(before.byName.get("acme-n")).toBeUndefined();
  const found = findModel("acme-new");
  const retiring = found && ({ ...found, state: "retiring", retiresAt: 1000 } as const);
  expect([999, 1000].map((now) => retiring && isOffered(retiring, now))).toEqual([true, false]);
  book.close();
  await changes.close();
});
