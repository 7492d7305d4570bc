/** What an account in a group may order, what it pays, and that a change mid-way changes no bill. */
import { expect, test, vi } from "vitest";
import { serveComposition } from "@/testing/composition/served-composition";
import { faultsOf } from "@/testing/ledger/faults-of";
import { opened } from "@/testing/unit/opened";
import { changeAccountGroup } from "../commands/account-group";
import { changeGroup, createGroup } from "../commands/groups";
import { openPool } from "../db/pool";

const site = await opened(serveComposition());
const pool = await opened(openPool(process.env.DATABASE_URL ?? ""), (pool) => pool.end());
const terms = { name: "Text", multiplierPpm: 500_000, models: ["RelayV1"], modelMultipliers: [] };
const { id: groupId } = await createGroup({ pool }, "test", terms);

async function ask(path: string, body?: object) {
  const response = await fetch(`${site.origin}/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${site.key.secret}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, json: await response.json() };
}
const chat = { model: "RelayV1", messages: [{ role: "user", content: "Hello" }], max_tokens: 50 };
const join = (id: string | null) =>
  changeAccountGroup({ pool }, "test", { accountId: site.accountId, groupId: id, reason: null });
const multiplierNow = async () =>
  (await ask("/quote", { endpoint: "createChatCompletion", ...chat })).json.multiplier;
const operations = async () =>
  (await pool.query<{ ppm: number }>("select multiplier_ppm as ppm from request_known order by id"))
    .rows;

test("a model that the group does not see answers as an unknown one, and nothing is billed", async () => {
  expect((await ask("/key")).json.models).toEqual([]);
  await join(groupId);
  await vi.waitFor(async () => expect(await multiplierNow()).toBe(0.5), 5000);
  const orders = [
    ["/images/generations", (model: string) => ({ model, prompt: "A fox" }), "Super-Relay-Image"],
    [
      "/contents/generations/tasks",
      (model: string) => ({ model, content: [{ type: "text", text: "Rain" }] }),
      "Super-Relay",
    ],
    ["/chat/completions", (model: string) => ({ ...chat, model }), "Super-Relay"],
  ] as const;
  for (const [path, bodyOf, hidden] of orders) {
    const [known, unknown] = [await ask(path, bodyOf(hidden)), await ask(path, bodyOf("no-such"))];
    expect([known.status, known.json.error.code]).toEqual([404, "model_not_found"]);
    expect(JSON.stringify(known.json).replaceAll(hidden, "no-such")).toBe(
      JSON.stringify(unknown.json),
    );
  }
  expect((await ask("/models")).json.data.map(({ id }: { id: string }) => id)).toEqual(["RelayV1"]);
  expect((await ask("/models/super-relay")).status).toBe(404);
  expect((await ask("/key")).json.models).toEqual(["RelayV1"]);
  expect(await operations()).toEqual([]);
});

test("while groups change, each request is billed by the multiplier that it was held under", async () => {
  await pool.query("update api_key set requests_per_minute = 100000");
  const changing = (async () => {
    for (let round = 0; round < 12; round++) {
      await changeGroup({ pool }, "test", {
        id: groupId,
        multiplierPpm: [500_000, 2_000_000][round % 2] ?? null,
      });
      await join(round % 3 === 0 ? null : groupId);
    }
  })();
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  const sending = Array.from({ length: 4 }, async () => {
    for (let sent = 0; sent < 30; sent++) answers.push(await ask("/chat/completions", chat));
  });
  await Promise.all([changing, ...sending]);
  expect(answers.map(({ status }) => status)).toEqual(Array(120).fill(200));
  const { rows } = await pool.query<{ request: string; ppm: number; amount: string; base: string }>(
    `select r.request_id as request, r.multiplier_ppm as ppm, r.amount,
        r.input_tokens::numeric * p.input_price + r.output_tokens::numeric * p.output_price as base
       from request r join price_version p on p.id = r.price_version_id`,
  );
  expect(rows).toHaveLength(120);
  const seen = new Set(rows.map(({ ppm }) => ppm));
  expect(seen.size).toBeGreaterThan(1);
  for (const { request, ppm, amount, base } of rows) {
    expect([500_000, 1_000_000, 2_000_000]).toContain(ppm);
    const exact = BigInt(base) * BigInt(ppm);
    expect(BigInt(amount)).toBe((exact + 999_999_999_999n) / 1_000_000_000_000n);
    const answer = answers.find(({ headers }) => headers.get("x-request-id") === request);
    expect(Number(answer?.headers.get("x-relay-points"))).toBe(Number(amount) / 1_000_000);
  }
  expect(await faultsOf(pool)).toEqual([]);
});
