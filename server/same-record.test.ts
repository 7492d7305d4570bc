/** A page, a program and the command line ask for the same change: the audit log says the same. */
import { beforeEach, expect, test } from "vitest";
import { sessionOf } from "@/lib/accounts/session-store";
import { endpoints } from "@/lib/contract/endpoints";
import { keyRow } from "@/lib/contract/key-rows";
import type { PageEndpoint } from "@/lib/contract/page-endpoint";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { toWire } from "@/lib/contract/wire";
import { runInProcess } from "@/testing/cli/commands";
import { askAt, newManager } from "@/testing/composition/managers";
import { askPage, newOperator, newOperatorKey } from "@/testing/composition/operators";
import { type SameChange, sameChanges, type Way } from "@/testing/composition/same-changes";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

const composed = await opened(serveComposition());
const operator = await newOperator(composed);
const operatorKey = await newOperatorKey(composed, operator);
const manager = await newManager(composed, composed.accountId);
const where = { accountId: composed.accountId };
const owner = sessionOf(await composed.database.user.findFirstOrThrow({ where }));
beforeEach(() => composed.database.webhookEndpoint.deleteMany({}));

const rowOf = (name: PageName): PageEndpoint => pageEndpoints[name];
const isOperators = (name: PageName) => rowOf(name).who === "operator";

/** The address and the kind of key by which a program does what the page's row does. */
function addressOf(name: PageName): { method: string; path: string; key: string } {
  const key = isOperators(name) ? operatorKey.secret : manager.secret;
  const { sameAs } = rowOf(name);
  const row = sameAs === undefined ? keyRow(name) : endpoints[sameAs];
  if (row === null) throw new Error(`${name} is nowhere in the API`);
  return { ...row, key };
}

async function change(given: SameChange, way: Way, id: string): Promise<void> {
  const body = given.body?.(way) ?? {};
  if (way === "by-page") {
    const user = isOperators(given.row) ? operator : owner;
    expect([200, 201]).toContain(await askPage(user, given.row, id, body));
  } else if (way === "by-api") {
    const { method, path, key } = addressOf(given.row);
    const { body: schema } = rowOf(given.row);
    const sent = given.ownBody?.(way) ?? (schema && (toWire(schema, body) as object));
    const answer = await askAt(composed, key, method, path.replace("{id}", id), sent);
    expect([200, 201], JSON.stringify(answer.json)).toContain(answer.status);
  } else {
    const text = given.cli(way).replace("ID", id).replace("ACCOUNT", composed.accountId);
    expect(await runInProcess(text.split(" "), { environment: process.env })).toMatchObject({
      err: "",
      code: 0,
    });
  }
}

/** What is recorded, without what must differ: new ids, hints of keys, and the way's own name. */
const comparable = (value: unknown, id: string) =>
  JSON.stringify(value)
    .replaceAll(id || "no id", "ID")
    .replaceAll(/by-(page|api|cli)/g, "by-one")
    .replaceAll(/"([a-z]+)[_-][0-9A-Za-z]{20,}"/g, '"$1"')
    .replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"uuid"')
    .replaceAll(/"hint":"[^"]*"/g, '"hint"')
    .replaceAll(/"(entry|subject)":"?\d+"?/g, '"$1"')
    .replaceAll(/"(effectiveAt|expiresAt|available)":"[^"]*"/g, '"$1"')
    // What was there before is the change of the way before it.
    .replace(/"before":(\{[^}]*\}|"[^"]*"|null)/, '"before"');

test.each(sameChanges)("$row is recorded alike by page, API and command line", async (given) => {
  const { operatorAction } = composed.database;
  const recorded: [string, unknown][] = [];
  for (const way of ["by-page", "by-api", "by-cli"] as const) {
    const id = (await given.subject?.(composed)) ?? "";
    const last = await operatorAction.findFirst({ orderBy: { seq: "desc" } });
    await change(given, way, id);
    const rows = await operatorAction.findMany({
      where: { seq: { gt: last?.seq ?? 0n }, action: given.action },
    });
    expect(rows).toHaveLength(1);
    for (const { actor, action, subject, detail } of rows)
      recorded.push([actor, comparable({ action, subject, detail }, id)]);
  }
  const [user, key] = isOperators(given.row)
    ? [operator.userId, operatorKey.id]
    : [owner.userId, manager.id];
  expect(recorded.map(([actor]) => actor)).toEqual([user, key, "cli"]);
  expect(recorded.map(([, text]) => text)).toEqual(Array(3).fill(recorded[0]?.[1]));
});
