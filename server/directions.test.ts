import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
let project = "";

/** For each direction a file that violates it, with its forbidden import. */
const planted: Readonly<Record<string, string>> = {
  "lib/points.ts": 'import "../server/main"; export const points = 1;',
  "components/card.tsx": 'import Page from "../app/page"; import { pool } from "../lib/db/pool"; export const card = <Page of={pool} />;',
  "components/usage/view.tsx": 'import { balance } from "../points/balance"; export const view = balance;',
  "components/points/balance.tsx": "export const balance = <b>1</b>;",
  "components/requests/row.tsx": 'import { head } from "../lists/head"; export const row = head;',
  "components/lists/card.tsx": 'import { row } from "../requests/row"; export const listCard = row;',
  "components/lists/head.tsx": "export const head = <b>1</b>;",
  "lib/limits/next.ts": 'import next from "next"; export const server = next;',
  "lib/ledger/ledger.ts": 'import { model } from "../catalog/model"; export const ledger = model;',
  "lib/upstream/choose.ts": 'import { ledger } from "../ledger/ledger"; export const choose = ledger;',
  "lib/upstream/failure.ts": 'import type { chat } from "./openai/chat"; export type Failure = typeof chat;',
  "lib/upstream/openai/chat.ts": 'import { task } from "../ark/task"; export const chat = task;',
  "lib/upstream/ark/task.ts": "export const task = 1;",
  "lib/upstream/transport/pools.ts": 'import type { task } from "../ark/task"; export type Pools = typeof task;',
  "lib/upstream/images/one.ts": 'import type { Two } from "./two"; export type One = Two | 1;',
  "lib/upstream/images/two.ts": 'import type { One } from "./one"; export type Two = { readonly one: One };',
  "lib/relay/image/image.ts": 'import type { hold } from "../chat/hold"; export type Image = typeof hold;',
  "lib/relay/chat/hold.ts": "export const hold = 1;",
  "lib/relay/order/failover.ts": 'import { hold } from "../chat/hold"; export const failover = hold;',
  "lib/limits/upstream.ts": 'import { task } from "../upstream/ark/task"; export const limits = task;',
  "lib/catalog/model.ts": 'import { readFileSync } from "node:fs"; export const model = readFileSync("x");',
  "lib/accounts/one.ts": 'import { two } from "./two"; export const one = () => two;',
  "lib/accounts/two.ts": 'import { one } from "./one"; export const two = () => one;',
  "lib/db/pool.ts": "export const pool = 1;",
  "app/page.tsx": 'import { pool } from "../lib/db/pool"; export default function Page() { return <p>{pool}</p>; }',
  "lib/accounts/actions.ts": 'import { suspend } from "../commands/accounts"; export const recordAction = () => suspend;',
  "lib/commands/accounts.ts": "export const suspend = 1;",
  "lib/operator/accounts.ts": 'import { recordAction } from "../accounts/actions"; export const suspend = recordAction;',
  "lib/queries/users.ts": 'import { suspend } from "../commands/accounts"; export const users = suspend;',
  "lib/limits/users.ts": 'import { users } from "../queries/users"; export const limits = users;',
  "cli/account.ts": 'import { pool } from "../lib/db/pool"; export const suspend = pool;',
  "server/main.ts": "export const main = 1;",
};

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "relay-directions-"));
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  for (const name of [".dependency-cruiser.mjs", "tsconfig.json"]) cpSync(join(root, name), join(project, name));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("a break of any of the twenty-one directions is found", () => {
  let report = "";
  try {
    const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
    const args = [program, "--config", ".dependency-cruiser.mjs", "app", "cli", "components", "lib", "server"];
    execFileSync(process.execPath, args, { cwd: project, stdio: "pipe" });
  } catch (error) {
    report = String((error as { stdout: Buffer }).stdout);
  }
  const found = new Set([...report.matchAll(/error (\d+)-/g)].map(([, number]) => Number(number)));
  expect([...found].sort((one, other) => one - other)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  expect(report).toContain("13-protocols-apart: lib/upstream/openai/chat.ts → lib/upstream/ark/task.ts");
  expect(report).toContain("21-relay-families-apart: lib/relay/image/image.ts → lib/relay/chat/hold.ts");
  expect(report).toContain("21-relay-families-apart: lib/relay/order/failover.ts → lib/relay/chat/hold.ts");
  expect(report).toContain("13-protocols-apart: lib/upstream/transport/pools.ts → lib/upstream/ark/task.ts");
});
