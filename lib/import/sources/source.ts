/** The database of another relay, whatever it is kept in. */
import { isRecord } from "../../values/records";

/** A row as its source has it: what a column is read as is up to `text`, `whole` and `isOn`. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** What is read of each table. A column that a source does not have is absent in its rows. */
export const tables = {
  options: ["key", "value"],
  users: [
    ...["id", "username", "password", "display_name", "role", "status", "email", "quota"],
    ...["group", "created_at", "deleted_at", "aff_quota"],
  ],
  user_subscriptions: [
    ...["id", "user_id", "plan_id", "amount_total", "amount_used", "end_time", "status"],
    ...["next_reset_time", "upgrade_group", "prev_user_group"],
  ],
  subscription_plans: ["id", "title", "quota_reset_period", "quota_reset_custom_seconds"],
  tokens: [
    ...["id", "user_id", "key", "status", "name", "created_time", "accessed_time", "expired_time"],
    ...["remain_quota", "unlimited_quota", "model_limits_enabled", "model_limits", "models"],
    ...["allow_ips", "subnet", "group", "deleted_at"],
  ],
  channels: [
    ...["id", "type", "key", "status", "name", "weight", "base_url", "models", "group"],
    ...["model_mapping", "priority", "channel_info", "header_override", "param_override"],
    ...["status_code_mapping", "setting", "openai_organization", "system_prompt"],
  ],
  redemptions: ["id", "key", "status", "name", "quota", "expired_time", "deleted_at"],
  logs: [
    ...["id", "user_id", "created_at", "type", "content", "token_name", "model_name", "quota"],
    ...["prompt_tokens", "completion_tokens", "token_id", "other"],
  ],
} as const;
export type SourceTable = keyof typeof tables;

export interface Source {
  has(table: SourceTable): Promise<boolean>;
  /** Batches of rows in the order of their ids, those above `after`. */
  rows(table: SourceTable, after?: bigint): AsyncIterable<readonly SourceRow[]>;
  close(): Promise<void>;
}

export const BATCH_ROWS = 1000;

/** Null and what is not there are the empty text. JSON comes as text, as bytes or read already. */
export function text(row: SourceRow, name: string): string {
  const value = row[name];
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (isRecord(value) && !(value instanceof Date)) return JSON.stringify(value);
  return typeof value === "number" || typeof value === "bigint" ? value.toString() : "";
}

/** Zero for what is no whole number. */
export function whole(row: SourceRow, name: string): bigint {
  const written = text(row, name).trim();
  return /^-?\d{1,30}$/.test(written) ? BigInt(written) : 0n;
}

export function isOn(row: SourceRow, name: string): boolean {
  const value = row[name];
  return value === true || ["1", "t", "true"].includes(text(row, name).toLowerCase());
}

/** Whether it was deleted, but is still there. */
export const isDeleted = (row: SourceRow): boolean =>
  row.deleted_at !== null && row.deleted_at !== undefined && row.deleted_at !== "";

/** Seconds of a Unix time; null for none. */
export function moment(row: SourceRow, name: string): Date | null {
  const seconds = Number(whole(row, name));
  return seconds > 0 && seconds < 8_000_000_000 ? new Date(seconds * 1000) : null;
}
