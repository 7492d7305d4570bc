/** Tests that the database's checks and counts agree with the one place that defines the bounds. */
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import * as limits from "../contract/limits";
import { MICROPOINTS_MAX } from "../money/points";
import { MULTIPLIER_PPM_MAX, PRICE_MAX } from "../pricing/price";

const client = await opened(new pg.Client({ connectionString: await createTestDatabase() }));
await client.connect();

const query = async (sql: string, values: unknown[] = []) =>
  (await client.query<{ text: string }>(sql, values)).rows.map(({ text }) =>
    text.replace(/::\w+|[()']/g, ""),
  );
const checksOf = (table: string) =>
  query(
    "select pg_get_constraintdef(oid) as text from pg_constraint where contype = 'c' and conrelid = $1::regclass",
    [table],
  );

test.each([
  ["api_key", "length name", 1, limits.NAME_LENGTH_MAX],
  ["api_key", "requests_per_minute", 1, limits.REQUESTS_PER_MINUTE_OPERATOR_MAX],
  ["account", "length name", 1, limits.NAME_LENGTH_MAX],
  ["account", "length suspended_reason", 1, limits.REASON_LENGTH_MAX],
  ["account", "multiplier_ppm", 1, MULTIPLIER_PPM_MAX],
  ["account", "own_multiplier_ppm", 1, MULTIPLIER_PPM_MAX],
  ["account", "low_balance_notice", 1, MICROPOINTS_MAX],
  ["account_group", "length name", 1, limits.GROUP_NAME_MAX],
  ["account_group", "multiplier_ppm", 1, MULTIPLIER_PPM_MAX],
  ["account_group_multiplier", "multiplier_ppm", 1, MULTIPLIER_PPM_MAX],
  ["channel", "length name", 1, limits.NAME_LENGTH_MAX],
  ["channel", "weight", limits.channelBounds.weight.min, limits.channelBounds.weight.max],
  [
    "channel",
    "timeout_seconds",
    limits.channelBounds.timeoutSeconds.min,
    limits.channelBounds.timeoutSeconds.max,
  ],
  ["price_version", "output_price", 0, PRICE_MAX],
  ["invite", "length note", 1, limits.NOTE_LENGTH_MAX],
  ["voucher_batch", "length name", 1, limits.NAME_LENGTH_MAX],
  ["voucher_batch", "count", 1, limits.VOUCHERS_PER_BATCH_MAX],
  ["topup_package", "length name", 1, limits.NAME_LENGTH_MAX],
  ["topup_package", "length note", 1, limits.NOTE_LENGTH_MAX],
  ["topup_package", "amount", 1, limits.PACKAGE_AMOUNT_MAX],
  ["notice", "length text_en", 1, limits.NOTICE_LENGTH_MAX],
  ["notice", "length text_zh", 1, limits.NOTICE_LENGTH_MAX],
  ["incident", "length title_en", 1, limits.INCIDENT_TITLE_MAX],
  ["incident", "length title_zh", 1, limits.INCIDENT_TITLE_MAX],
  ["incident_update", "length text_en", 1, limits.INCIDENT_TEXT_MAX],
  ["incident_update", "length text_zh", 1, limits.INCIDENT_TEXT_MAX],
  ["ledger_entry", "length reason", 1, limits.REASON_LENGTH_MAX],
  ["account", "low_balance_days", 1, limits.LOW_BALANCE_DAYS_MAX],
  ["webhook_endpoint", "length url", 1, limits.CALLBACK_CHARACTERS_MAX],
])("%s: %s is checked from %s to %s", async (table, subject, min, max) => {
  const plain = (await checksOf(table)).map((text) => text.replace(/\s/g, ""));
  const subjectText = subject.replace(/\s/g, "");
  expect(plain.join("\n")).toContain(`${subjectText}>=${min}AND${subjectText}<=${max}`);
});

test("a request's model and a channel's additional fields are checked with the same bounds", async () => {
  expect((await checksOf("open_request")).join()).toContain(
    `lengthmodel <= ${limits.MODEL_LENGTH_MAX}`,
  );
  expect((await checksOf("channel")).join()).toContain(
    `cardinalityallowed_fields <= ${limits.ALLOWED_FIELDS_MAX}`,
  );
  expect((await checksOf("incident")).join()).toContain(
    `cardinalitymodels <= ${limits.INCIDENT_MODELS_MAX}`,
  );
  expect((await checksOf("account_group")).join()).toContain(
    `cardinalitymodels <= ${limits.GROUP_MODELS_MAX}`,
  );
});

test("a row without a rate gets the default", async () => {
  const defaultOf = (table: string, column: string) =>
    query(
      "select column_default as text from information_schema.columns where table_name = $1 and column_name = $2",
      [table, column],
    );
  expect(await defaultOf("api_key", "requests_per_minute")).toEqual([
    `${limits.REQUESTS_PER_MINUTE_DEFAULT}`,
  ]);
  const {
    CHANNEL_REQUESTS_PER_MINUTE_DEFAULT: minute,
    CHANNEL_REQUESTS_PER_SECOND_DEFAULT: second,
  } = limits;
  expect(await defaultOf("channel", "requests_per_minute")).toEqual([`${minute}`]);
  expect(await defaultOf("channel", "requests_per_second")).toEqual([`${second}`]);
});

test("the triggers that count rows use the same bounds", async () => {
  const counts = await query(
    "select tgname || ' ' || split_part(encode(tgargs, 'escape'), '\\000', 1) as text from pg_trigger where not tgisinternal",
  );
  expect(counts).toContain(`api_key_count ${limits.KEYS_PER_ACCOUNT_MAX}`);
  expect(counts).toContain(`api_key_count_of_developer ${limits.KEYS_PER_DEVELOPER_MAX}`);
  expect(counts).toContain(`api_key_count_in_use ${limits.KEYS_PER_ACCOUNT_MAX}`);
  expect(counts).toContain(`management_key_count ${limits.MANAGEMENT_KEYS_PER_ACCOUNT_MAX}`);
  expect(counts).toContain(`account_member_count ${limits.MEMBERS_PER_ACCOUNT_MAX}`);
  expect(counts).toContain(`account_member_count_of_user ${limits.ACCOUNTS_PER_USER_MAX}`);
  expect(counts).toContain(`account_invitation_count ${limits.INVITATIONS_OPEN_MAX}`);
  expect(counts).toContain(`account_invitation_count_of_day ${limits.INVITATIONS_PER_DAY_MAX}`);
  expect(counts).toContain(`operator_key_count ${limits.OPERATOR_KEYS_PER_USER_MAX}`);
  expect(counts).toContain(`webhook_endpoint_count ${limits.WEBHOOKS_PER_ACCOUNT_MAX}`);
  expect(counts).toContain(`topup_package_count ${limits.PACKAGES_MAX}`);
  expect(counts).toContain(`plan_count ${limits.PLANS_MAX}`);
  expect(counts).toContain(`account_group_count ${limits.GROUPS_MAX}`);
  expect(counts).toContain(`account_group_multiplier_count ${limits.GROUP_MULTIPLIERS_MAX}`);
  expect(counts).toContain(`incident_open_count ${limits.INCIDENTS_OPEN_MAX}`);
  expect(counts).toContain(`incident_open_count_again ${limits.INCIDENTS_OPEN_MAX}`);
  expect(counts).toContain(`incident_update_count ${limits.INCIDENT_UPDATES_MAX}`);
});
