import { expect, test } from "vitest";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { setPrice } from "../commands/prices";
import type { publicEndpoints } from "../contract/public";
import { pageHandlers } from "./page-handlers";

const site = await opened(startSiteProcess());
const routes = pageHandlers(
  pagesHostOf({
    deps: () => site.deps,
    currentUser: async () => null,
    isOperator: () => false,
    hasRecentProof: async () => false,
  }),
);

async function ask(name: keyof typeof publicEndpoints, query = "") {
  const response = await routes[name](new Request(`http://localhost:3000/api/x${query}`));
  return { status: response.status, json: await response.json() };
}

test("a model's past prices are public under any of its names, newest first, without future ones", async () => {
  const { pool } = site.deps;
  await setPrice({ pool }, "cli", {
    model: "Super-Relay2.0",
    input: 0n,
    output: 5_000_000_000n,
    effectiveAt: null,
  });
  await pool.query(`insert into price_version (model, input_price, output_price, effective_at, created_by)
    values ('Super-Relay2.0', 0, 1, now() + interval '1 day', 'cli')`);
  const { status, json } = await ask("showPriceHistory", "?model=super-relay-2-0");
  expect(status).toBe(200);
  expect(json.model).toBe("Super-Relay2.0");
  expect(
    json.versions.map(({ input, output }: { input: null; output: string }) => [input, output]),
  ).toEqual([
    [null, "5000.000000"],
    [null, "4600.000000"],
  ]);
});

test("an unknown or missing model is refused by field name", async () => {
  expect((await ask("showPriceHistory", "?model=gpt-4")).json.error).toMatchObject({
    code: "model_not_found",
    param: "model",
  });
  expect((await ask("showPriceHistory")).json.error).toMatchObject({
    code: "missing_required_parameter",
    param: "model",
  });
});

test("the version names the running commit, and none when built outside a repository", async () => {
  expect((await ask("showVersion")).json).toEqual({
    version: expect.any(String),
    commit: null,
    builtAt: null,
  });
});
