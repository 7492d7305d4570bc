import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { publicError } from "../http/failure-answer";
import { connectDatabase } from "./client";
import { openPool } from "./pool";

const url = await createTestDatabase();
const pool = await opened(openPool(url, 1));
const database = await opened(connectDatabase(url, 1));

const unstorable = ["a\0b", "\ud800", "b\udc00"];
const notice = {
  id: "n",
  level: "info",
  textEn: "a",
  textZh: "b",
  startsAt: new Date(),
  createdBy: "x",
};
const setting = (value: object) => ({ data: { name: "x", value, updatedBy: "x" } });
const attempts: readonly [string, (text: string) => Promise<unknown>][] = [
  ["a query", (text) => pool.query("select $1::text", [text])],
  ["a query's array", (text) => pool.query("select $1::text[]", [["a", text]])],
  ["a query's JSON", (text) => pool.query("select $1::jsonb", [JSON.stringify({ a: text })])],
  [
    "a connection's query",
    (text) =>
      pool
        .connect()
        .then((client) =>
          client.query({ text: "select $1::text", values: [text] }).finally(() => client.release()),
        ),
  ],
  ["Prisma", (text) => database.notice.create({ data: { ...notice, textEn: text } })],
  ["Prisma's filter", (text) => database.notice.findMany({ where: { id: { in: [text] } } })],
  ["Prisma's JSON", (text) => database.liveSetting.create(setting({ a: text }))],
  [
    "Prisma's transaction",
    (text) =>
      database.$transaction((inside) =>
        inside.notice.create({ data: { ...notice, textEn: text } }),
      ),
  ],
];

test.each(attempts)(
  "text that cannot be stored is refused as an invalid value: %s",
  async (_, attempt) => {
    for (const text of unstorable) {
      const error = await attempt(text).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(publicError(error), JSON.stringify(text)).toMatchObject({ code: "invalid_value" });
    }
    await expect(pool.query("select $1::text as text", ["💥 whole"])).resolves.toMatchObject({
      rows: [{ text: "💥 whole" }],
    });
  },
);
