import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { auditActions, auditFields } from "@/lib/contract/audit-actions";
import { isRecord } from "@/lib/values/records";
import en from "@/messages/en.json";
import chinese from "@/messages/zh-CN.json";

const lib = join(import.meta.dirname, "../../lib");
const sources = readdirSync(lib, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^db\/generated|^contract\//.test(name))
  .map((name) => readFileSync(join(lib, name), "utf8"));

/** The text under a path such as `account.suspend`. */
const textAt = (texts: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), texts);

test("every action and every field of the audit log has words in both languages", () => {
  const without = Object.entries({ en, chinese }).flatMap(([language, { operator }]) => [
    ...auditActions
      .filter((name) => typeof textAt(operator.audit.actions, name) !== "string")
      .map((name) => `${language} ${name}`),
    ...auditFields
      .filter((name) => typeof textAt(operator.audit.fields, name) !== "string")
      .map((name) => `${language} ${name}`),
  ]);
  expect(without).toEqual([]);
});

test("the words are those of people: no name of the code is left in them", () => {
  const said = (texts: unknown): string[] =>
    isRecord(texts) ? Object.values(texts).flatMap(said) : [String(texts)];
  for (const { operator } of [en, chinese]) {
    const texts = [...said(operator.audit.actions), ...said(operator.audit.fields)];
    expect(texts.filter((text) => /[a-z][A-Z]|_|\w\.\w/.test(text))).toEqual([]);
  }
});

test("every action that is written anywhere is in the list, and each of the list is written", () => {
  const written = sources.flatMap((text) => [
    ...[...text.matchAll(/\baction: "([a-z_]+\.[a-z_]+)"/g)].map(([, name]) => name),
    ...[...text.matchAll(/\brecordAction\([^"()]*"([a-z_]+\.[a-z_]+)"/g)].map(([, name]) => name),
    ...[...text.matchAll(/'system', '([a-z_]+\.[a-z_]+)'/g)].map(([, name]) => name),
  ]);
  expect(written.length).toBeGreaterThan(30);
  expect(written.filter((name) => !auditActions.some((each) => each === name))).toEqual([]);
  const unwritten = auditActions.filter(
    (name) => !sources.some((text) => text.includes(`"${name}"`) || text.includes(`'${name}'`)),
  );
  expect(unwritten).toEqual([]);
});
