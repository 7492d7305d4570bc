import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { verifyActionChain } from "@/lib/accounts/action-chain";
import { sessionOf, type UserSession } from "@/lib/accounts/session-store";
import { type PageName, pageEndpoints } from "@/lib/contract/page-endpoints";
import { taskStatuses } from "@/lib/contract/states";
import { type OpenDatabase, openServer } from "@/lib/db/open";
import { auditLedger } from "@/lib/ledger/audit/audit";
import { auditSealed } from "@/lib/ledger/audit/audit-sealed";
import { type PageHandlers, pageHandlers } from "@/lib/pages-api/page-handlers";
import { isKeyOf } from "@/lib/values/records";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { type SiteProcess, startSiteProcess } from "@/testing/pages-api/site-process";
import { newFolder } from "@/testing/unit/new-folder";
import { expectedEmpty } from "./expected-empty";
import { fillDemo } from "./fill";
import { removeDemo, writeDemoFacts } from "./folder";
import { demoSettings } from "./open-demo";
import { CUSTOMER, OPERATOR } from "./people";

const SCALE = 0.03;
/** Half a minute; much more where other programs take the processor. */
const FILL_MS = 900_000;
const root = join(import.meta.dirname, "../..");
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
  folder = newFolder("demo");
  const ports = { upstreamPort: 9, paymentsPort: 9 };
  const facts = { seed: "test", scale: SCALE, end: new Date(end).toISOString(), ...ports };
  writeDemoFacts(folder, { ...facts, isComplete: true });
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
  routes = pageHandlers(
    pagesHostOf({
      deps: () => site.deps,
      currentUser: async () => user,
      report: (_, __, error) => console.error(error),
    }),
  );
}, FILL_MS);

afterAll(async () => {
  await client?.end();
  await site?.close();
  await server?.close();
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
  return (
    z
      .array(z.object({ id: z.string() }))
      .min(1)
      .parse(answer[list])[0]?.id ?? ""
  );
}

async function requestOf(accountId: string): Promise<string> {
  const { rows } = await client.query(
    "select k.request_id from request_known k join request r using (id) where r.account_id = $1 and r.amount > 0 limit 1",
    [accountId],
  );
  return rows[0].request_id;
}

const ownRequest = () => requestOf(user?.accountId ?? "");
const customerId = async () => (await userOf(CUSTOMER)).accountId;
const oneId = async (sql: string, of: string): Promise<string> =>
  (await client.query<{ id: string }>(`${sql} limit 1`, [of])).rows[0]?.id ?? "";

const objectOf: Readonly<Partial<Record<PageName, () => Promise<string>>>> = {
  showRequest: ownRequest,
  showContent: ownRequest,
  showTask: () => firstIn("listTasks", "tasks"),
  showUpstreamBill: () => firstIn("listUpstreamBills", "bills"),
  downloadUpstreamBill: () => firstIn("listUpstreamBills", "bills"),
  showPayment: () => firstIn("listPayments", "payments"),
  downloadReceipt: async () =>
    oneId("select id from payment where status = 'paid' and account_id = $1", await customerId()),
  downloadInvoice: () => firstIn("listInvoices", "invoices"),
  listAccountInvoices: customerId,
  downloadAnyInvoice: async () =>
    oneId("select id from invoice where account_id = $1", await customerId()),
  showAccount: customerId,
  showAccountPlan: customerId,
  listAccountEntries: customerId,
  showLoggedRequest: async () => requestOf(await customerId()),
  listBatchVouchers: () => firstIn("listVoucherBatches", "batches"),
  listWebhookDeliveries: () => firstIn("listWebhooks", "webhooks"),
  showModel: () => firstIn("listCatalogue", "models"),
  downloadBatch: () => firstIn("listVoucherBatches", "batches"),
};

/** Times, where a query has times rather than days. */
const momentRange = `?from=${new Date(end - 30 * 86_400_000).toISOString()}&to=${new Date(end).toISOString()}`;

/** What makes a query that needs a range valid. */
const rangeFor = (query: z.ZodType): string =>
  [range, momentRange].find(
    (each) => query.safeParse(Object.fromEntries(new URLSearchParams(each))).success,
  ) ?? "";

/** What the demo has none of: an upstream that is asked, and a conversation in a browser. */
const withoutObject: ReadonlySet<PageName> = new Set<PageName>([
  "listUpstreamModels",
  "showStudioSession",
]);

/** The lists that are empty in what a user with this role can ask for. */
async function emptyLists(who: "user" | "operator"): Promise<string[]> {
  const empty: string[] = [];
  for (const [name, row] of Object.entries(pageEndpoints)) {
    if (!isKeyOf(pageEndpoints, name) || row.method !== "GET" || row.who !== who) continue;
    if (withoutObject.has(name)) continue;
    const isRange = "query" in row && !row.query.safeParse({}).success;
    const id = await objectOf[name]?.();
    const query = isRange ? rangeFor(row.query) : "";
    // Nobody tags requests.
    for (const [path, count] of listsIn(await call(name, id, query), name))
      if (count === 0 && !/\.request\.tags$|^listTag/.test(path)) empty.push(path);
  }
  return empty;
}

test("the audit of the ledger and the chain of the audit log are clean", async () => {
  const { checks } = await auditLedger(client);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(await verifyActionChain(client)).toMatchObject({ ok: true });
});

test("every day that was over at the end is sealed, and the seals hold", async () => {
  const { rows } = await client.query(
    `select max(day)::text as last, count(*)::int >= 85 as "isWhole", sum(requests)::int > 0 as "hasRequests",
            (select count(*) < 200 from ledger_apart) as "areFewApart" from ledger_seal`,
  );
  // Yesterday, or the day before as long as yesterday's last requests are too fresh for a piece.
  const last = new Date(end - 86_400_000).toISOString().slice(0, 10);
  const before = new Date(end - 2 * 86_400_000).toISOString().slice(0, 10);
  expect([last, before]).toContain(rows[0]?.last);
  expect(rows[0]).toMatchObject({ isWhole: true, hasRequests: true, areFewApart: true });
  const { checks } = await auditSealed(client, { isFull: true });
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("every list of the customer's pages has something", async () => {
  user = await userOf(CUSTOMER);
  expect(await emptyLists("user")).toEqual(expectedEmpty.user);
});

test("every list of the operators' pages has something", async () => {
  user = await userOf(OPERATOR);
  expect((await emptyLists("operator")).sort()).toEqual(expectedEmpty.operator);
});

const statesIn = async (table: string, column: string): Promise<string[]> =>
  (await client.query(`select distinct ${column} as state from ${table} order by 1`)).rows.map(
    ({ state }) => state,
  );

test("tasks and payments are there in every state", async () => {
  expect(await statesIn("video_task", "status")).toEqual([...taskStatuses].sort());
  expect(await statesIn("payment", "status")).toEqual([
    "created",
    "expired",
    "failed",
    "paid",
    "pending",
  ]);
  const { rows } = await client.query(
    "select distinct attention from payment where attention is not null order by 1",
  );
  expect(rows.map(({ attention }) => attention)).toEqual([
    "amount_mismatch",
    "dispute_open",
    "refund_failed",
  ]);
});

test("the history lies before its end, and the real clock is back", async () => {
  const { rows } = await client.query(
    `select (select max(created_at) from request_known) as hold, (select max(ended_at) from request) as ended,
            (select max(at) from operator_action) as action, (select count(distinct created_at::date)::int from request_known) as days,
            now() as now, to_regnamespace('past') as past, current_setting('fsync') as fsync,
            (select count(*)::int from pg_attrdef d where pg_get_expr(d.adbin, d.adrelid) ~ 'past') as defaults`,
  );
  const [{ hold, ended, action, days, now, past, defaults, fsync }] = rows;
  for (const last of [hold, ended, action]) expect(last.getTime()).toBeLessThanOrEqual(end);
  expect(days).toBeGreaterThan(85);
  expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000);
  expect([past, defaults, fsync]).toEqual([null, 0, "on"]);
  const { rows: made } = await site.deps.pool.query("select now() as now");
  expect(Math.abs(made[0].now.getTime() - Date.now())).toBeLessThan(60_000);
});

test("a demo that a process uses is not removed", async () => {
  await expect(removeDemo(folder)).rejects.toThrow("Another process uses the demo");
});
