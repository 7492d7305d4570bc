/** What new-api keeps since 2026, in each of its databases: nothing gets more here than it has there. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import type { GeneratedSource, GeneratedTable, Row } from "@/testing/import/generated-source";
import { importInto } from "@/testing/import/import-into";
import { type SourceKind, writeRows } from "@/testing/import/import-stage";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";

const NOW = Math.floor(Date.now() / 1000);
type Columns = GeneratedTable["columns"];
const table = (columns: Columns, ...rows: Row[]): GeneratedTable => ({ columns, rows: () => rows });

const users = table(
  {
    ...{ id: "id", username: "text", password: "text", display_name: "text", role: "int" },
    ...{ status: "int", email: "text", quota: "int", used_quota: "int", group: "text" },
    ...{ aff_quota: "int", auth_version: "int", quota_5h_limit: "int", created_at: "int" },
    deleted_at: "time",
  },
  ...[1, 2, 3].map((id) => ({
    ...{ id, username: `u${id}`, password: "", display_name: "", role: 1, status: 1 },
    ...{ email: `u${id}@example.com`, quota: 1000, used_quota: 5, aff_quota: id === 2 ? 70 : 0 },
    ...{ auth_version: 1, quota_5h_limit: 0, created_at: NOW, deleted_at: null },
    group: ["vip", "svip", "default"][id - 1] ?? "",
  })),
);
const subscription = (
  id: number,
  user: number,
  group: string,
  before: string,
  ends = NOW + 9e5,
) => ({
  ...{ id, user_id: user, plan_id: 1, amount_total: 500, amount_used: 120, end_time: ends },
  ...{ status: "active", source: "order", upgrade_group: group, prev_user_group: before },
});
const source: GeneratedSource = {
  users,
  user_subscriptions: table(
    {
      ...{ id: "id", user_id: "int", plan_id: "int", amount_total: "int", amount_used: "int" },
      ...{ end_time: "int", status: "text", source: "text", upgrade_group: "text" },
      prev_user_group: "text",
    },
    subscription(1, 1, "vip", "trial"),
    subscription(2, 2, "vip", "default"),
    subscription(3, 2, "svip", "vip"),
    subscription(4, 3, "vip", "trial", NOW - 9),
  ),
  tokens: table(
    {
      ...{ id: "id", user_id: "int", key: "text", status: "int", name: "text" },
      ...{ created_time: "int", expired_time: "int", remain_quota: "int" },
      ...{ unlimited_quota: "bool", model_limits_enabled: "bool", model_limits: "text" },
      ...{ allow_ips: "text", group: "text", cross_group_retry: "bool", deleted_at: "time" },
    },
    ...["", "gpt-4o", "none"].map((limits, at) => ({
      ...{ id: at + 1, user_id: 3, key: `k${at}`.repeat(24), status: 1, name: `k${at}` },
      ...{ created_time: NOW, expired_time: -1, remain_quota: 0, unlimited_quota: true },
      ...{ model_limits_enabled: true, model_limits: limits, allow_ips: "", group: "" },
      ...{ cross_group_retry: false, deleted_at: null },
    })),
  ),
  channels: table(
    {
      ...{ id: "id", type: "int", key: "text", status: "int", name: "text", weight: "int" },
      ...{ base_url: "text", models: "text", group: "text", model_mapping: "text" },
      ...{ priority: "int", channel_info: "json", setting: "text" },
    },
    {
      ...{ id: 1, type: 1, key: "one\ntwo", status: 1, name: "main", weight: 0, base_url: "" },
      ...{ models: "gpt-4o", group: "default,vip,svip,trial", model_mapping: "", priority: 0 },
      channel_info: '{"is_multi_key":true,"multi_key_status_list":{"0":2}}',
      setting: "",
    },
  ),
  options: table(
    { key: "text", value: "text" },
    { key: "ModelRatio", value: '{"gpt-4o":1}' },
    { key: "CompletionRatio", value: '{"gpt-4o":2}' },
    { key: "GroupRatio", value: '{"default":1,"vip":0.5,"svip":0.4,"trial":2}' },
    { key: "GroupGroupRatio", value: '{"default":{"vip":0.1,"default":0.9},"vip":{"default":3}}' },
    { key: "QuotaPerUnit", value: "250000" },
  ),
  logs: table(
    {
      ...{ id: "id", user_id: "int", created_at: "int", type: "int", content: "text" },
      ...{ token_name: "text", model_name: "text", quota: "int", prompt_tokens: "int" },
      ...{ completion_tokens: "int", token_id: "int", other: "text" },
    },
    ...[2, 2, 6].map((type, at) => ({
      ...{ id: at + 1, user_id: 3, created_at: NOW, type, content: "", token_name: "k1" },
      ...{ model_name: "gpt-4o", quota: at === 1 ? -7 : 40, prompt_tokens: 10 },
      ...{ completion_tokens: 5, token_id: 2, other: "{}" },
    })),
  ),
};

test.each<SourceKind>(["sqlite", "dump", "postgres"])(
  "what nobody pays for here does not move from %s, and is named",
  async (kind) => {
    const folder = newFolder("newest");
    const url = await createTestDatabase();
    const client = await connect(url);
    onTestFinished(() => client.end());
    const place = await writeRows(join(folder, "theirs"), kind, source);
    const report = await importInto(url, { product: "new-api", place });
    const { rows: groups } = await client.query<{ user: string; group: string; ppm: number }>(
      `select r.foreign_id as "user", g.name as "group", g.multiplier_ppm as ppm from import_row r
         join account a on a.id = r.target_id join account_group g on g.id = a.group_id
        where r.kind = 'user' order by 1`,
    );
    expect(groups).toEqual([
      { user: "1", group: "trial", ppm: 2_000_000 },
      { user: "2", group: "default", ppm: 900_000 },
      { user: "3", group: "default", ppm: 900_000 },
    ]);
    const { rows: keys } = await client.query<{ id: string; models: string[]; off: boolean }>(
      `select r.foreign_id as id, k.models, k.paused_at is not null as off from import_row r
         join api_key k on k.id = r.target_id where r.kind = 'key' order by 1`,
    );
    expect(keys).toEqual([
      { id: "1", models: [], off: true },
      { id: "2", models: ["gpt-4o"], off: false },
      { id: "3", models: [], off: true },
    ]);
    const { rows: channels } = await client.query<{ credentials: number }>(
      "select coalesce(jsonb_array_length(credentials::jsonb), 0)::integer as credentials from channel",
    );
    expect(channels).toEqual([{ credentials: 0 }]);
    const said = report.remarks.map(
      ({ kind: of, reason, examples }) => `${of} ${reason}: ${examples}`,
    );
    for (const told of [
      /subscriptions is not taken over, nor its group.*380 quota until.*380 quota until.*380 quota until/,
      /users has quota for invitations.*2 u2: 70/,
      /users one of its currency is another number.*250000 and 500000/,
      /logs gives a charge back.*3: 40/,
    ])
      expect(
        said.find((line) => told.test(line)),
        String(told),
      ).toBeDefined();
    expect(report.counts.logs.quota).toBe(33n);
  },
);
