/** What moves here from another relay, whatever its database, to the smallest unit. */
import { join } from "node:path";
import type pg from "pg";
import { expect, test } from "vitest";
import { codeOf } from "@/testing/accounts/key-database";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { expectedOf } from "@/testing/import/expected";
import {
  generateSource,
  keyText,
  PASSWORD,
  type Row,
  type Size,
} from "@/testing/import/generated-source";
import { importInto } from "@/testing/import/import-into";
import { type SourceKind, writeRows, writeSource } from "@/testing/import/import-stage";
import { readMovedState } from "@/testing/import/moved-state";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { createKeyAuthenticator } from "../accounts/key-authenticator";
import { verifyPassword } from "../accounts/password";
import { openChanges } from "../db/changes";
import { openPool } from "../db/pool";
import type { Product } from "./book";

const size: Size = { users: 150, keys: 300, logs: 900, loggedKeys: 200 };
const folder = newFolder("import");

async function onDatabase<Result>(work: (url: string, client: pg.Client) => Promise<Result>) {
  const url = await createTestDatabase();
  const client = await connect(url);
  return work(url, client).finally(() => client.end());
}

test.each([
  ["one-api", "sqlite"],
  ...extent<[Product, SourceKind][]>(
    [],
    [
      ["new-api", "postgres"],
      ["new-api", "dump"],
      ["new-api", "sqlite"],
      ["one-api", "postgres"],
      ["one-api", "dump"],
    ],
  ),
] as const)(
  "%s in %s moves to the micropoint, and a second run takes only what is new",
  (product, kind) =>
    onDatabase(async (url, client) => {
      const place = await writeSource(folder, product, kind, size);
      const expected = expectedOf(generateSource(product, size));
      const report = await importInto(url, { product, place });
      expect(await readMovedState(client)).toEqual(expected.state);
      expect(report.counts.users).toMatchObject({ found: size.users, points: expected.points });
      expect(report.counts.logs.quota).toBe(expected.logged);

      const again = await importInto(url, { product, place });
      expect(Object.values(again.counts).map(({ taken }) => taken)).toEqual(Array(8).fill(0));
      expect(await readMovedState(client)).toEqual(expected.state);

      const more = { ...size, keys: size.keys + 50, logs: size.logs + 100 };
      const later = await importInto(url, {
        product,
        place: await writeSource(folder, product, kind, more),
      });
      expect(later.counts.keys).toMatchObject({ known: report.counts.keys.taken });
      expect(await readMovedState(client)).toEqual(expectedOf(generateSource(product, more)).state);
    }),
);

test("a dry run says the same, and writes nothing", () =>
  onDatabase(async (url, client) => {
    const place = await writeSource(folder, "new-api", "dump", size);
    const counts = async () =>
      (
        await client.query(
          `select c.relname, (xpath('/row/n/text()', query_to_xml('select count(*) n from ' || quote_ident(c.relname), false, true, '')))[1]::text as n
             from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not relispartition order by 1`,
        )
      ).rows;
    await importInto(url, {
      product: "new-api",
      place: await writeSource(folder, "new-api", "dump", { ...size, users: 0, keys: 0, logs: 0 }),
      isDry: true,
    });
    const before = await counts();
    const dry = await importInto(url, { product: "new-api", place, isDry: true });
    expect(await counts()).toEqual(before);
    const wet = await importInto(url, { product: "new-api", place });
    expect(dry.counts).toEqual(wet.counts);
    expect(dry.remarks).toEqual(wet.remarks);
  }));

test("what is switched off or gone there since it moved is named, as long as it works here", () =>
  onDatabase(async (url, client) => {
    const product = "new-api";
    const rows = generateSource(product, { users: 6, keys: 12, logs: 0 });
    const file = (name: string) => join(folder, name);
    await importInto(url, { product, place: await writeRows(file("first"), "dump", rows) });
    const changed = (
      name: "users" | "tokens" | "redemptions",
      change: (row: Row) => Row | null,
    ) => ({
      ...rows[name],
      columns: rows[name]?.columns ?? {},
      rows: () => [...(rows[name]?.rows() ?? [])].map(change).filter((row) => row !== null),
    });
    const later = {
      ...rows,
      users: changed("users", (row) => (row.id === 2 ? { ...row, status: 2 } : row)),
      tokens: changed("tokens", (row) =>
        row.id === 1
          ? { ...row, status: 2 }
          : row.id === 2
            ? { ...row, expired_time: 0 }
            : row.id === 8
              ? null
              : row,
      ),
      redemptions: changed("redemptions", (row) => (row.id === 1 ? { ...row, status: 3 } : row)),
    };
    const place = await writeRows(file("later"), "dump", later);
    const named = async () =>
      (await importInto(url, { product, place })).remarks
        .filter(({ reason }) => reason.includes("since it moved: here"))
        .map(({ kind, examples }) => [kind, examples]);
    expect(await named()).toEqual([
      ["users", ["2"]],
      ["keys", ["1", "2", "8"]],
      ["vouchers", ["1"]],
    ]);
    await client.query("update api_key set paused_at = now(), paused_spend = 0");
    await client.query("update voucher set cancelled_at = now()");
    expect(await named()).toEqual([["users", ["2"]]]);
  }));

test("what costs something else there since it moved is named, and stays as it is here", () =>
  onDatabase(async (url, client) => {
    const product = "new-api";
    const rows = generateSource(product, { users: 6, keys: 2, logs: 0 });
    const given = [...(rows.options?.rows() ?? [])];
    const put = async (name: string, changes: Record<string, unknown>) => {
      const options = given.map((row) => {
        const change = changes[String(row.key)];
        if (change === undefined) return row;
        return { ...row, value: JSON.stringify({ ...JSON.parse(String(row.value)), ...change }) };
      });
      const table = { columns: rows.options?.columns ?? {}, rows: () => options };
      return writeRows(join(folder, name), "dump", { ...rows, options: table });
    };
    const named = async (place: string) =>
      (await importInto(url, { product, place })).remarks
        .filter(({ reason }) => reason.includes("there: its"))
        .map(({ kind, examples }) => [kind, examples]);
    const state = async () => {
      const prices = "select model, input_price, output_price, other_rates from price_version";
      const groups = "select id, multiplier_ppm from account_group";
      return [(await client.query(prices)).rows, (await client.query(groups)).rows];
    };
    const same = await put("same", {});
    expect(await named(same)).toEqual([]);
    const before = await state();
    expect(await named(same)).toEqual([]);
    const changes = { GroupRatio: { vip: 0.75 }, ModelRatio: { "gpt-4o": 1.5 } };
    const changed = await put("changed", changes);
    const found = [
      [
        "models",
        [
          "gpt-4o (input_token 3.000000 there, 2.500000 here; output_token 12.000000 there, 10.000000 here)",
        ],
      ],
      ["groups", ["vip (0.75 there, 0.8 here)"]],
    ];
    expect(await named(changed)).toEqual(found);
    expect(await named(changed)).toEqual(found);
    expect(await state()).toEqual(before);
  }));

test("a key whose end is 0 there has expired, and stays behind", () =>
  onDatabase(async (url, client) => {
    const rows = generateSource("one-api", { users: 2, keys: 4, logs: 0 });
    const ends = [0, -1, -5, null];
    const tokens = {
      columns: rows.tokens?.columns ?? {},
      rows: () =>
        [...(rows.tokens?.rows() ?? [])].map((row, at) => ({
          ...row,
          expired_time: ends[at] ?? null,
        })),
    };
    const place = await writeRows(join(folder, "ends"), "dump", { ...rows, tokens });
    await importInto(url, { product: "one-api", place });
    const { keys } = await readMovedState(client);
    expect(Object.keys(keys)).toEqual(["2", "4"]);
  }));

test("every key that moved answers as its account, and the others do not", () =>
  onDatabase(async (url, client) => {
    const place = await writeSource(folder, "new-api", "dump", size);
    await importInto(url, { product: "new-api", place });
    const state = await readMovedState(client);
    expect(state).toEqual(expectedOf(generateSource("new-api", size)).state);
    const { keys } = state;
    const pool = openPool(url);
    const changes = await openChanges(url);
    const authenticator = createKeyAuthenticator({ pool, changes });
    const wrong: number[] = [];
    for (let id = 1; id <= size.keys; id++) {
      const code = await codeOf(authenticator, `Bearer sk-${keyText(id)}`);
      const key = keys[id];
      const isOff = key?.isPaused === true;
      const allowed = isOff
        ? ["api_key_paused", "account_suspended"]
        : ["ok", "account_suspended", "address_not_allowed"];
      if (!(key === undefined ? ["invalid_api_key"] : allowed).includes(code)) wrong.push(id);
    }
    expect(wrong).toEqual([]);
    expect(await codeOf(authenticator, `Bearer ${keyText(1)}`)).toBe("ok");
    const { rows } = await client.query<{ hash: string }>(
      `select password_hash as hash from "user" where email = 'user1@example.com'`,
    );
    expect(await verifyPassword(rows[0]?.hash ?? null, PASSWORD)).toBe(true);
    await authenticator.close();
    await changes.close();
    await pool.end();
  }));
