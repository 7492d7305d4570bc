/** Two operators who change one model at the same time, over the API, the page and the command line. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInProcess } from "@/testing/cli/commands";
import { askAt } from "@/testing/composition/managers";
import { newOperator, newOperatorKey } from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

const folder = newFolder("model-conflict");
const composed = await opened(serveComposition());
const [one, two] = [await newOperator(composed, "one@example.com"), await newOperator(composed)];
const keys = [
  (await newOperatorKey(composed, one)).secret,
  (await newOperatorKey(composed, two)).secret,
];

const ask = (who: 0 | 1, method: string, path: string, body?: object) =>
  askAt(composed, keys[who] ?? "", method, `/v1/admin/${path}`, body);
const rate = (points: string) => ({ unit: "output_token", points });
const file = (id: string, tokens: number, points = "9") => ({
  id,
  family: "text",
  spec: { output_tokens_max: tokens },
  rates: [{ unit: "input_token", points: "5" }, rate(points)],
});

async function newModel(id: string): Promise<string> {
  const made = await ask(0, "POST", "models", file(id, 1000));
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  return made.json.revision;
}

test("of two changes of one revision at once, one is made, and the other is told who and when", async () => {
  const revision = await newModel("conflict-one");
  const path = `models/conflict-one?revision=${revision}`;
  const answers = await Promise.all([
    ask(0, "POST", path, file("conflict-one", 2000)),
    ask(1, "POST", path, file("conflict-one", 3000)),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [won, lost] = answers[0]?.status === 200 ? answers : answers.toReversed();
  const { error } = lost?.json ?? {};
  expect(error).toMatchObject({
    code: "changed_meanwhile",
    param: "revision",
    revision: won?.json.revision,
    changed_by: "billing",
  });
  expect(Date.now() - Date.parse(error.changed_at)).toBeLessThan(60_000);
  const { json } = await ask(1, "GET", "models/conflict-one");
  expect(json.spec).toEqual(won?.json.spec);
  const again = `models/conflict-one?revision=${json.revision}`;
  expect((await ask(1, "POST", again, file("conflict-one", 4000))).status).toBe(200);
});

test("a price that was set meanwhile is a change too; without a revision the file is what counts", async () => {
  const revision = await newModel("conflict-two");
  const price = { model: "conflict-two", input_points: 7, output_points: 11, effective_at: null };
  expect((await ask(1, "POST", "prices", price)).status).toBe(200);
  const path = "models/conflict-two";
  const stale = await ask(0, "POST", `${path}?revision=${revision}`, file("conflict-two", 2000));
  expect([stale.status, stale.json.error.code]).toEqual([409, "changed_meanwhile"]);
  expect((await ask(0, "GET", path)).json.model.version).toBe(1);
  expect((await ask(0, "POST", path, file("conflict-two", 2000))).status).toBe(200);
});

test("the command line takes the revision that it showed", async () => {
  await newModel("conflict-three");
  const run = (...words: string[]) =>
    runInProcess(["model", ...words, "--json"], { environment: process.env });
  const shown = JSON.parse((await run("show", "--id", "conflict-three")).out);
  const from = join(folder, "model.json");
  writeFileSync(from, JSON.stringify(file("conflict-three", 2000)));
  const change = ["change", "--id", "conflict-three", "--from", from, "--revision"];
  expect((await run(...change, shown.revision)).code).toBe(0);
  writeFileSync(from, JSON.stringify(file("conflict-three", 3000)));
  const late = await run(...change, shown.revision);
  expect([late.code, late.err]).toEqual([1, expect.stringContaining("cli changed it at")]);
});
