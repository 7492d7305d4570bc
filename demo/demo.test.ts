import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { verifyActionChain } from "@/lib/accounts/action-chain";
import { sessionOf, type UserSession } from "@/lib/accounts/session-store";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { lossCauses, taskStatuses } from "@/lib/contract/states";
import { type OpenDatabase, openServer } from "@/lib/db/open";
import { auditLedger } from "@/lib/ledger/audit";
import { type PageHandlers, pageHandlers } from "@/lib/pages-api/page-handlers";
import { isKeyOf } from "@/lib/records";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { fillDemo } from "./fill";
import { readDemoFacts, removeDemo } from "./folder";
import { demoSettings } from "./open-demo";
import { CUSTOMER, OPERATOR, people } from "./people";
import { planOrders } from "./plan";

const SCALE = 0.03;
const root = join(import.meta.dirname, "..");
const end = Date.now();
let folder: string;
let server: OpenDatabase;
let site: SiteProcess;
let routes: PageHandlers;
let user: UserSession | null = null;
let client: pg.Client;

const userOf = async (email: string) =>
  sessionOf(await site.deps.database.user.findUniqueOrThrow({ where: { email } }));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "relay-demo-"));
  await fillDemo({
    seed: "test",
    scale: SCALE,
    end,
    folder,
    projectFolder: root,
    upstreamOrigin: "http://127.0.0.1:9",
    onProgress: () => {},
  });
  server = await openServer(demoSettings(folder));
  site = await startSiteProcess(server.url);
  client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  routes = pageHandlers({
    deps: () => site.deps,
    publicUrl: () => "http://localhost:3000",
    currentUser: async () => user,
    currentSessionId: async () => null,
    isOperator: ({ isOperator }) => isOperator,
    hasRecentProof: async () => true,
    admit: () => {},
    renewedCookie: async () => "",
    report: (_, __, error) => console.error(error),
  });
}, 240_000);

afterAll(async () => {
  await client?.end();
  await site?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function call(name: PageName, id?: string, query = ""): Promise<unknown> {
  const { method } = pageEndpoints[name];
  const request = new Request(`http://localhost:3000/api/x${query}`, { method });
  const response = await routes[name](request, id);
  const text = await response.text();
  expect(response.status, `${name}: ${text.slice(0, 300)}`).toBe(200);
  return text.startsWith("{") ? JSON.parse(text) : text.split("\r\n");
}

/** The paths of the lists in an answer, and how many items they have in all. */
function listsIn(value: unknown, path: string, counts = new Map<string, number>()) {
  if (Array.isArray(value)) {
    counts.set(path, (counts.get(path) ?? 0) + value.length);
    for (const item of value) listsIn(item, `${path}[]`, counts);
  } else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value))
      listsIn(member, path === "" ? name : `${path}.${name}`, counts);
  return counts;
}

const dateOf = (daysAgo: number) => new Date(end - daysAgo * 86_400_000).toISOString().slice(0, 10);
const range = `?from=${dateOf(91)}&to=${dateOf(0)}`;

/** An object of the list that is the answer of another address. */
async function firstIn(name: PageName, list: string, query = ""): Promise<string> {
  const answer = z.record(z.string(), z.unknown()).parse(await call(name, undefined, query));
  return z.array(z.object({ id: z.string() })).min(1).parse(answer[list])[0]?.id ?? "";
}

const objectOf: Readonly<Partial<Record<PageName, () => Promise<string>>>> = {
  showRequest: async () => {
    const { rows } = await client.query("select request_id as id from operation limit 1");
    return rows[0].id;
  },
  showTask: () => firstIn("listTasks", "tasks"),
  showPayment: () => firstIn("listPayments", "payments"),
};

/** The lists that are empty in what a user with this role can ask for. */
async function emptyLists(who: "user" | "operator"): Promise<string[]> {
  const empty: string[] = [];
  for (const [name, row] of Object.entries(pageEndpoints)) {
    if (!isKeyOf(pageEndpoints, name) || row.method !== "GET" || row.who !== who) continue;
    const isRange = "query" in row && !row.query.safeParse({}).success;
    const id = await objectOf[name]?.();
    for (const [path, count] of listsIn(await call(name, id, isRange ? range : ""), name))
      if (count === 0) empty.push(path);
  }
  return empty;
}

test("the audit of the ledger and the chain of the audit log are clean", async () => {
  const { checks } = await auditLedger(client);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(await verifyActionChain(client)).toMatchObject({ ok: true });
});

test("every list of the customer's pages has something", async () => {
  user = await userOf(CUSTOMER);
  expect(await emptyLists("user")).toEqual([]);
});

test("every list of the operators' pages has something", async () => {
  user = await userOf(OPERATOR);
  expect(await emptyLists("operator")).toEqual([]);
});
