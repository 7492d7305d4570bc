import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import directions from "../.dependency-cruiser.mjs";
import { layers } from "../.dependency-layers.mjs";
import { steps } from "./check.mjs";

const root = join(import.meta.dirname, "..");
let project = "";
let result: SpawnSyncReturns<string>;

const exported = (name: string) => `export const ${name} = 1;`;

/** Files that the breaches import. */
const targets: Readonly<Record<string, string>> = {
  "app/page.tsx": "export default function Page() { return <p />; }",
  "tools/bench/load.ts": exported("load"),
  "components/lists/head.tsx": "export const head = <b>1</b>;",
  "components/points/balance.tsx": "export const balance = <b>1</b>;",
  "lib/accounts/actions.ts": exported("recordAction"),
  "lib/accounts/two.ts": 'import { one } from "./one"; export const two = one;',
  "lib/catalog/models.ts": exported("models"),
  "lib/contract/operator-keys.ts": exported("rows"),
  "lib/db/pool.ts": exported("pool"),
  "lib/dialects/messages/request.ts": exported("request"),
  "lib/failures/relay-error.ts": exported("errors"),
  "lib/limits/window.test.ts": exported("window"),
  "lib/price-book/prices.ts": exported("prices"),
  "proxy.ts": exported("proxy"),
  "lib/queries/prices.ts": exported("prices"),
  "lib/relay/chat/hold.ts": exported("hold"),
  "lib/upstream/ark/task.ts": exported("task"),
  "lib/upstream/images/two.ts": 'import type { One } from "./one"; export type Two = One;',
  "server/main.ts": exported("main"),
};

/**
 * Each breach: the file, its content, and what the check must report: the rule, and the file that
 * may not be imported.
 */
const breaches: readonly (readonly [path: string, text: string, rule: string, target: string])[] = [
  ["lib/money/points.ts", 'import "../../server/main";', "layer-plain", "server/main.ts"],
  ["lib/limits/aliased.ts", 'import "@/server/main";', "layer-machine", "server/main.ts"],
  ["components/card.tsx", 'import "../app/page";', "layer-components", "app/page.tsx"],
  ["lib/client/balance.ts", 'import "../db/pool";', "layer-browser", "lib/db/pool.ts"],
  ["lib/ledger/ledger.ts", 'import "../catalog/models";', "layer-ledger", "lib/catalog/models.ts"],
  [
    "lib/upstream/choose.ts",
    'import "../ledger/ledger";',
    "layer-upstream",
    "lib/ledger/ledger.ts",
  ],
  ["lib/contract/limits.ts", 'import "../db/pool";', "layer-plain", "lib/db/pool.ts"],
  [
    "lib/catalog/terms.ts",
    'import type { main } from "../contract/limits";',
    "layer-plain",
    "lib/contract/limits.ts",
  ],
  ["app/terms/page.tsx", 'import "../../lib/db/pool";', "layer-pages", "lib/db/pool.ts"],
  [
    "lib/dialects/answer.ts",
    'import "./messages/request";',
    "dialect-contract-stands-below",
    "lib/dialects/messages/request.ts",
  ],
  [
    "lib/dialects/responses/answer.ts",
    'import "../messages/request";',
    "dialects-apart",
    "lib/dialects/messages/request.ts",
  ],
  [
    "lib/commands/accounts.ts",
    'import "../queries/prices";',
    "layer-commands",
    "lib/queries/prices.ts",
  ],
  [
    "lib/accounts/keys.ts",
    'import "../commands/accounts";',
    "layer-domain",
    "lib/commands/accounts.ts",
  ],
  [
    "lib/queries/users.ts",
    'import "../commands/accounts";',
    "layer-queries",
    "lib/commands/accounts.ts",
  ],
  ["lib/relay/usage.ts", 'import "../queries/prices";', "layer-relay", "lib/queries/prices.ts"],
  [
    "lib/docs/guides.ts",
    'import "../price-book/prices";',
    "layer-browser",
    "lib/price-book/prices.ts",
  ],
  [
    "lib/docs/guides.ts",
    'import "../price-book/prices";',
    "browser-code-apart",
    "lib/price-book/prices.ts",
  ],
  [
    "lib/refunds/refund.ts",
    'import "../failures/relay-error";',
    "every-folder-has-a-layer",
    "lib/failures/relay-error.ts",
  ],
  [
    "lib/http/refund.ts",
    'import "../refunds/refund";',
    "every-folder-has-a-layer",
    "lib/refunds/refund.ts",
  ],
  ["scripts/alone.mjs", "", "every-folder-has-a-layer", ""],
  ["lib/limits/next.ts", 'import "next";', "frameworks-at-the-edge", ""],
  ["lib/catalog/model.ts", 'import "node:fs";', "pure-parts-do-no-io", "fs"],
  ["lib/accounts/one.ts", 'import "./two";', "no-cycles", ""],
  ["lib/upstream/images/one.ts", 'import type { Two } from "./two";', "no-cycles", ""],
  [
    "components/usage/view.tsx",
    'import "../points/balance";',
    "features-apart",
    "components/points/balance.tsx",
  ],
  [
    "components/requests/row.tsx",
    'import "../lists/head";',
    "no-cycles-between-component-folders",
    "",
  ],
  [
    "components/lists/card.tsx",
    'import "../requests/row";',
    "no-cycles-between-component-folders",
    "",
  ],
  [
    "lib/upstream/failure.ts",
    'import type { task } from "./ark/task";',
    "upstream-contract-stands-below",
    "lib/upstream/ark/task.ts",
  ],
  [
    "lib/upstream/openai/chat.ts",
    'import "../ark/task";',
    "protocols-apart",
    "lib/upstream/ark/task.ts",
  ],
  [
    "lib/upstream/transport/pools.ts",
    'import type { task } from "../ark/task";',
    "protocols-apart",
    "lib/upstream/ark/task.ts",
  ],
  [
    "lib/channels/channel.ts",
    'import "../upstream/ark/task";',
    "protocols-behind-wiring",
    "lib/upstream/ark/task.ts",
  ],
  [
    "lib/relay/image/image.ts",
    'import type { hold } from "../chat/hold";',
    "relay-families-apart",
    "lib/relay/chat/hold.ts",
  ],
  [
    "lib/relay/order/failover.ts",
    'import "../chat/hold";',
    "relay-families-apart",
    "lib/relay/chat/hold.ts",
  ],
  [
    "lib/ledger/core/writer.ts",
    'import "../audit/audit";',
    "the-ledgers-core-stands-alone",
    "lib/ledger/audit/audit.ts",
  ],
  [
    "lib/ledger/audit/audit.ts",
    'import "../ledger";',
    "the-ledgers-rooms-do-not-import-its-door",
    "lib/ledger/ledger.ts",
  ],
  [
    "lib/db/embedded/cluster.ts",
    'import "../pool";',
    "inner-folders-stand-below",
    "lib/db/pool.ts",
  ],
  [
    "lib/pages-api/accounts.ts",
    'import "../accounts/actions";',
    "recorded-by-commands",
    "lib/accounts/actions.ts",
  ],
  [
    "lib/client/keys.ts",
    'import "../contract/operator-keys";',
    "rows-by-noun-in-the-browser",
    "lib/contract/operator-keys.ts",
  ],
  [
    "cli/account.ts",
    'import "../lib/db/pool";',
    "no-database-in-the-command-line",
    "lib/db/pool.ts",
  ],
  [
    "lib/limits/window.ts",
    'import "./window.test";',
    "tests-are-not-imported",
    "lib/limits/window.test.ts",
  ],
  ["components/ui/bar.tsx", 'import "../../proxy";', "no-root-files-in-the-browser", "proxy.ts"],
];

/** For each layer, an import from a layer above it or beside it. */
const breachesOfLayers = layers.map(({ name, places }) => {
  const target = name === "tools" ? "components/lists/head.tsx" : "tools/bench/load.ts";
  return [
    `${places[0]}/planted.ts`,
    `import "@/${target.replace(/\.tsx?$/, "")}";`,
    `layer-${name}`,
    target,
  ] as const;
});

beforeAll(() => {
  project = newFolder("directions");
  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  for (const [path, text] of Object.entries(targets)) plant(path, text);
  for (const [path, text] of [...breaches, ...breachesOfLayers])
    plant(path, `${text}\nexport const here = 1;`);
  for (const name of [".dependency-cruiser.mjs", ".dependency-layers.mjs", "tsconfig.json"])
    cpSync(join(root, name), join(project, name));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  // As `npm run check` runs it.
  const { command } = steps.find(({ name }) => name === "directions") ?? {};
  if (command === undefined) throw new Error("there is no step of that name");
  result = spawnSync(...command, { cwd: project, encoding: "utf8" });
});

test("every planted breach is found", () => {
  const { status, stdout: report } = result;
  expect(status, report).toBeGreaterThan(0);
  const lines = report.split("\n");
  for (const [path, , rule, target] of [...breaches, ...breachesOfLayers]) {
    const from = rule.endsWith("-folders") ? dirname(path) : path;
    const start = target === "" ? `error ${rule}: ${from}` : `error ${rule}: ${from} → ${target}`;
    expect(lines.find((line) => line.trim().startsWith(start)) ?? report, start).toContain(start);
  }
});

test("a breach of every rule is planted", () => {
  const names = new Set((directions.forbidden ?? []).map(({ name }) => name ?? ""));
  const planted = new Set([...breaches, ...breachesOfLayers].map(([, , rule]) => rule));
  expect([...names].filter((name) => !planted.has(name))).toEqual([]);
});

test("the list of layers names only existing folders", () => {
  const isThere = (place: string) =>
    existsSync(join(root, place)) || existsSync(join(root, `${place}.ts`));
  const named = layers.flatMap(({ places, imports }) => [...places, ...imports]);
  const names = new Set(layers.map(({ name }) => name));
  expect(named.filter((place) => !names.has(place) && !isThere(place))).toEqual([]);
});
