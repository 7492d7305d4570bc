import { expect, test } from "vitest";
import { ownerUrlOf } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { INCIDENT_UPDATES_MAX, INCIDENTS_OPEN_MAX } from "../contract/limits";
import { listIncidents, readIncidents } from "../queries/incidents";
import { openIncident, updateIncident } from "./incidents";

const site = await opened(startSiteProcess());

const DAY_MS = 86_400_000;
const wanted = {
  titleEn: "Slow answers",
  titleZh: null,
  models: ["relay-v1", "RelayV1"],
  beganAt: null,
  state: "investigating" as const,
  textEn: "We look into it.",
  textZh: "我们正在调查。",
};
const open = (change: object = {}) => openIncident(site.deps, "cli", { ...wanted, ...change });
const find = async (id: string) =>
  (await listIncidents(site.deps.pool)).find((each) => each.id === id);

test("an incident goes on until an update resolves it, and again when one reopens it", async () => {
  const { id } = await open();
  expect(await find(id)).toMatchObject({
    titleZh: null,
    models: ["RelayV1"],
    resolvedAt: null,
    updates: [{ number: 1, state: "investigating", textZh: "我们正在调查。" }],
  });
  const say = (state: "resolved" | "monitoring") =>
    updateIncident(site.deps, "cli", { id, state, textEn: "A  new\nline", textZh: null });
  await say("resolved");
  const resolved = await find(id);
  expect(resolved?.updates[0]).toMatchObject({ number: 2, textEn: "A new line", textZh: null });
  expect(resolved?.resolvedAt).toBe(resolved?.updates[0]?.at);
  await say("resolved");
  expect((await find(id))?.resolvedAt).toBe(resolved?.resolvedAt);
  await say("monitoring");
  expect(await find(id)).toMatchObject({ resolvedAt: null });
  const actions = await site.deps.database.operatorAction.findMany({
    where: { subject: id },
    orderBy: { seq: "asc" },
  });
  expect(actions.map(({ action }) => action)).toEqual([
    "incident.open",
    ...Array(3).fill("incident.update"),
  ]);
});

test.each([
  ["title_en", { titleEn: null }],
  ["title_en", { titleEn: "x".repeat(121) }],
  ["title_zh", { titleZh: " \n " }],
  ["text_en", { textEn: null, textZh: null }],
  ["text_zh", { textZh: "x".repeat(1001) }],
  ["text_en", { textEn: "a\u0000b" }],
  ["models", { models: ["none"] }],
  ["models", { models: Array(51).fill("RelayV1") }],
  ["began_at", { beganAt: new Date(Date.now() + 60_000) }],
])("%s is refused for %j, and nothing is stored", async (param, change) => {
  const before = await site.deps.database.incident.count();
  await expect(open(change)).rejects.toMatchObject({ code: "invalid_value", param });
  expect(await site.deps.database.incident.count()).toBe(before);
});

test("an unknown incident is not found", async () => {
  const update = { id: "inc_none", state: "resolved", textEn: "x", textZh: null } as const;
  await expect(updateIncident(site.deps, "cli", update)).rejects.toMatchObject({
    code: "not_found",
  });
});

test("updates that are written at once get one number each, and there are at most 50", async () => {
  const { id } = await open();
  const written = await Promise.allSettled(
    Array.from({ length: INCIDENT_UPDATES_MAX + 9 }, () =>
      updateIncident(site.deps, "cli", { id, state: "identified", textEn: "x", textZh: null }),
    ),
  );
  const refused = written.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(10);
  for (const each of refused)
    expect(each).toMatchObject({ reason: { code: "invalid_value", param: "state" } });
  expect((await find(id))?.updates.map(({ number }) => number)).toEqual(
    Array.from({ length: INCIDENT_UPDATES_MAX }, (_, at) => INCIDENT_UPDATES_MAX - at),
  );
});

test("what was said is never changed or removed", async () => {
  const { id } = await open();
  const owner = await connect(ownerUrlOf(site.databaseUrl));
  for (const sql of [
    `update incident set title_en = 'x' where id = '${id}'`,
    `update incident set resolved_at = now() where id = '${id}'`,
    `delete from incident where id = '${id}'`,
    `update incident_update set text_en = 'x' where incident_id = '${id}'`,
    `delete from incident_update where incident_id = '${id}'`,
    "truncate incident_update",
    "truncate incident cascade",
  ])
    await expect(owner.query(sql), sql).rejects.toThrow();
  await owner.end();
});

test("at most 20 go on at once, and the page shows those and the last ones of 90 days", async () => {
  const long = new Date(Date.now() - 100 * DAY_MS);
  const old = await open({ beganAt: long });
  await updateIncident(site.deps, "cli", { ...wanted, id: old.id, state: "resolved" });
  const opened = await Promise.allSettled(
    Array.from({ length: INCIDENTS_OPEN_MAX + 5 }, () => open({ beganAt: long })),
  );
  expect(opened.some(({ status }) => status === "rejected")).toBe(true);
  expect(await site.deps.database.incident.count({ where: { resolvedAt: null } })).toBe(
    INCIDENTS_OPEN_MAX,
  );
  const shown = await readIncidents(site.deps.pool);
  expect(shown.filter(({ resolvedAt }) => resolvedAt === null)).toHaveLength(INCIDENTS_OPEN_MAX);
  expect(shown.map(({ id }) => id)).not.toContain(old.id);
  // One that is resolved may not be reopened beyond the bound either.
  await expect(
    updateIncident(site.deps, "cli", { ...wanted, id: old.id, state: "monitoring" }),
  ).rejects.toMatchObject({ code: "invalid_value" });
});
