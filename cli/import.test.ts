import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestCommands } from "@/testing/cli/commands";
import {
  type GeneratedSource,
  generateSource,
  groupRatios,
  ratiosOf,
  voucherText,
} from "@/testing/import/generated-source";
import { writeDump } from "@/testing/import/write-source";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

const source: GeneratedSource = generateSource("new-api", { users: 60, keys: 90, logs: 400 });
const usage = z.object({ usage: z.array(z.object({ requests: z.number() })) });
const commands = await opened(openTestCommands());
const folder = newFolder("import");
const dump = join(folder, "theirs.sql");
writeDump(dump, source);

const refusal = async (...line: string[]) => (await commands.relay(...line)).err;

test("what is no source is refused with what it lacks", async () => {
  const other = join(folder, "other.sql");
  writeFileSync(other, "CREATE TABLE `users` (\n  `id` int\n);\n");
  expect(await refusal("import", "new-api", "--database", other)).toMatch(
    /database has no table tokens/,
  );
  expect(
    await refusal("import", "new-api", "--database", dump, "--quota-per-point", "0.5"),
  ).toMatch(/--quota-per-point 0\.5 is not a whole number/);
  const plans = (pairs: string) =>
    refusal("import", "new-api", "--database", dump, "--plans", pairs);
  expect(await plans("Small")).toMatch(/--plans Small is not ID=PLAN/);
  expect(await plans("3=Small")).toMatch(/There is no plan "Small"/);
  await commands.json("plan create --name Small --points 1 --period day");
  expect(await plans("3=Small")).toMatch(/The source has no plan 3\. It has: none/);
});

test("a source moves by command: the books agree, a code is redeemed, and nothing moves twice", async () => {
  const dry = await commands.json("import new-api --database", dump, "--dry-run");
  expect(dry).toMatchObject({ dry_run: true });
  const moved = await commands.json("import new-api --database", dump);
  expect(moved).toEqual({ ...dry, dry_run: false });
  expect(await commands.json("ledger audit")).toMatchObject({ ok: true });

  const shown = await commands.json("account show --email user2@example.com");
  const [, row] = [...(source.users?.rows() ?? [])];
  expect(shown).toMatchObject({ account: { available_points: Number(row?.quota) / 500_000 } });
  const account = z.object({ account: z.object({ id: z.string() }) }).parse(shown).account.id;
  const redeemed = await commands.relayWith(
    { input: voucherText(1) },
    ...["voucher", "redeem", "--code", "-", "--account", account, "--json"],
  );
  expect(JSON.parse(redeemed.out)).toMatchObject({ points: 250_001 / 500_000 });

  expect(await commands.json("import list")).toMatchObject({
    sources: [{ name: "new-api", channels: 3, groups: 2, models: 5, quota_per_point: 500_000 }],
  });
  const logged = [...(source.logs?.rows() ?? [])].filter((each) => each.user_id === 2);
  const used = usage.parse(await commands.json("import usage --account", account)).usage;
  expect(used.reduce((sum, each) => sum + each.requests, 0)).toBe(
    logged.filter(({ type }) => type === 2).length,
  );
  const models = await commands.json("model list");
  expect(JSON.stringify(models)).toContain("deepseek-chat");
  const again = await commands.relay("import new-api --database", dump);
  expect(again.out).toMatch(/users +60 +0 +\d+/);
  const rate = ["--quota-per-point", "1000"];
  expect(await refusal("import", "new-api", "--database", dump, ...rate)).toMatch(
    /new-api is a source of new-api at 500000 quota a point/,
  );
});

/** What a line of the log costs here, in micropoints, by the ratios of its model and its user. */
function costOf(row: Readonly<Record<string, unknown>>, group: string): bigint {
  const [ratio = 0, completion = 0] = ratiosOf[String(row.model_name)] ?? [];
  const tokens = Number(row.prompt_tokens) + Number(row.completion_tokens) * completion;
  const tenThousandths = Math.round(ratio * 1000) * Math.round((groupRatios[group] ?? 0) * 10);
  return (BigInt(tokens) * BigInt(tenThousandths) * 2n + 9999n) / 10_000n;
}

test("shadow compares each line with what it costs here, names the causes, and the sums add up", async () => {
  const file = join(folder, "lines.csv");
  const users = new Map(
    [...(source.users?.rows() ?? [])].map(({ id, group, deleted_at: deleted }) => [
      id,
      group === "free" || deleted !== null ? null : String(group),
    ]),
  );
  const lines = [...(source.logs?.rows() ?? [])].filter(({ type }) => type === 2);
  const ours = lines.map((row) => {
    const group = users.get(row.user_id ?? null) ?? null;
    // The only channel of this model is for one of the groups.
    const isSeen = row.model_name !== "claude-sonnet-4" || group === "vip";
    return group === null || !isSeen ? 0n : costOf(row, group);
  });
  const theirs = lines.reduce((sum, { quota }) => sum + BigInt(Number(quota)) * 2n, 0n);
  const found = await commands.json("shadow new-api --database", dump, "--csv", file);
  const total = ours.reduce((sum, each) => sum + each, 0n);
  expect(found).toMatchObject({
    total: { lines: lines.length, theirs: Number(theirs) / 1e6, ours: Number(total) / 1e6 },
  });
  const records = readFileSync(file, "utf8").trim().split("\r\n");
  expect(records).toHaveLength(lines.length + 1);
  const causes = records.slice(1).map((record) => record.split(",").at(-1));
  expect([...new Set(causes)].sort()).toEqual(
    expect.arrayContaining(["no such model", "no such user", "other multiplier", "rounding"]),
  );
  expect(causes.filter((cause) => cause === "extras" || cause === "other price")).toEqual([]);
  const until = new Date(Number(lines[9]?.created_at) * 1000).toISOString();
  const part = await commands.json("shadow new-api --database", dump, "--to", until);
  expect(part).toMatchObject({ total: { lines: 9 } });
});
