/** The query of every row of `/v1/account` and `/v1/admin`, over HTTP against the process as it is composed. */
import { expect, test } from "vitest";
import { parametersOf } from "@/lib/contract/api-document";
import {
  accountApiRows,
  accountDocumentRow,
  type KeyRow,
  operatorApiRows,
  operatorDocumentRow,
} from "@/lib/contract/key-rows";
import { newManager } from "@/testing/composition/managers";
import { newOperator, newOperatorKey } from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

const composed = await opened(serveComposition());
const operator = await newOperator(composed);
const lists = [...accountApiRows, ...operatorApiRows].filter(
  (row) =>
    row.method === "GET" &&
    !row.path.includes("{") &&
    row !== accountDocumentRow &&
    row !== operatorDocumentRow,
);
/** Of the 60 that a management key may send in a minute. */
const REQUESTS_EACH = 50;
let asked = 0;
let keys = { operators: "", ofAccount: "" };

async function ask({ group, path }: KeyRow, query: object) {
  if (asked++ % REQUESTS_EACH === 0)
    keys = {
      operators: (await newOperatorKey(composed, operator)).secret,
      ofAccount: (await newManager(composed, composed.accountId)).secret,
    };
  const place = `${composed.origin}${path}?${new URLSearchParams({ ...query })}`;
  const authorization = `Bearer ${group === "operators" ? keys.operators : keys.ofAccount}`;
  const answer = await fetch(place, { headers: { authorization } });
  const text = await answer.text();
  const error = answer.ok ? null : JSON.parse(text).error;
  return { status: answer.status, code: error?.code, param: error?.param, text };
}

const now = Math.floor(Date.now() / 1000);
const today = new Date().toISOString().slice(0, 10);
const usual: Record<string, Record<string, string>> = {
  text: { from: today, to: today, zone: "Asia/Shanghai", month: "2026-08", tag: "team=a" },
  number: { from: String(now - 3600), to: String(now), points_min: "0.5", points_max: "12.5" },
};
interface Json {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
}
function sampleOf(name: string, schema: Json): string {
  const isNumber = schema.type !== "string";
  const known = usual[isNumber ? "number" : "text"]?.[name];
  return known ?? schema.const ?? schema.enum?.at(-1) ?? (isNumber ? "1" : "none");
}

const parameters = (row: KeyRow) =>
  parametersOf(row).flatMap(({ name, in: place, required, schema }) =>
    place === "query" ? [{ name, required, value: sampleOf(name, schema) }] : [],
  );
const neededBy = (row: KeyRow) =>
  Object.fromEntries(
    parameters(row).flatMap(({ name, required, value }) => (required ? [[name, value]] : [])),
  );

test("each parameter that the document of a row names is taken in its form", async () => {
  let seen = 0;
  for (const row of lists)
    for (const { name, value } of parameters(row)) {
      // Of another's list; what follows is in that answer.
      if (name === "after") continue;
      const others =
        name === "group_tag" ? { group: "tag" } : value === "tag" ? { group_tag: "a" } : {};
      const answer = await ask(row, { ...neededBy(row), ...others, [name]: value });
      expect(answer.status, `${row.path} ${name}=${value}: ${answer.text}`).toBe(200);
      seen++;
    }
  expect(seen).toBeGreaterThan(80);
});

test("a parameter that a row does not have is refused, not ignored", async () => {
  expect(lists.length).toBeGreaterThan(40);
  for (const row of lists) {
    const { status, code, text } = await ask(row, { ...neededBy(row), modle: "x" });
    expect([row.path, status, code]).toEqual([row.path, 400, "unknown_parameter"]);
    expect(text).toContain("`modle`");
  }
});

test("what a row asks of several parameters together is asked by their names here", async () => {
  const rowAt = (path: string) => lists.filter((row) => row.path === path);
  for (const row of rowAt("/v1/account/usage/chart"))
    expect(await ask(row, { ...neededBy(row), group: "model", then_by: "model" })).toMatchObject({
      status: 400,
      code: "invalid_value",
      param: "then_by",
    });
  for (const row of rowAt("/v1/admin/requests")) {
    const [from, to] = [String(now), String(now - 1)];
    expect(await ask(row, { from, to })).toMatchObject({ status: 400, param: "from" });
    for (const wrong of [today, "1.5", "", " "])
      expect(await ask(row, { from: wrong, to })).toMatchObject({ status: 400, param: "from" });
  }
  expect.assertions(6);
});
