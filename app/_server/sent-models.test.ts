import pg from "pg";
import { expect, test } from "vitest";
import { catalogueOf, firstModelOf, replaceCatalogue } from "@/lib/catalog/models";
import { modelText } from "@/lib/client/model-text";
import { readCatalogue } from "@/lib/model-book/read-models";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { sentModels } from "./sent-models";

const pool = await opened(new pg.Pool({ connectionString: await createTestDatabase(), max: 1 }));

const word = { title: "Acme", sentence: "Long context." };
const names = { en: word, "zh-CN": { title: "Acme", sentence: "长上下文。" } };
const acme = { ...firstModelOf("text"), id: "acme", alias: "acme", isBuiltIn: false, names };

test("a page sends the browser nothing while the models are the built-in ones", async () => {
  replaceCatalogue(await readCatalogue(pool));
  expect(sentModels()).toBeNull();
  expect(sentModels(true)).toBeNull();
});

test("a page sends every model once there is another one, and drafts to operators only", async () => {
  const { models } = await readCatalogue(pool);
  replaceCatalogue(catalogueOf([...models, acme, { ...acme, id: "next", state: "draft" }]));
  const idsOf = (withDrafts: boolean) => sentModels(withDrafts)?.map(({ id }) => id);
  expect(idsOf(false)).toEqual([...models.map(({ id }) => id), "acme"]);
  expect(idsOf(true)).toEqual([...models.map(({ id }) => id), "acme", "next"]);
});

test("a model that an operator made says its own sentence, and a built-in one the pages' words", () => {
  const say = (locale: string) => modelText(acme, locale, (key) => key);
  expect([say("en"), say("zh-CN")]).toEqual(["Long context.", "长上下文。"]);
  expect(modelText(firstModelOf("text"), "en", (key) => key)).toBe("relay-v1");
});
