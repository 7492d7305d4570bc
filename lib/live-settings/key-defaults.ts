import type { Database } from "../db/client";
import { type Micropoints, parsePoints } from "../points";
import { effectiveSettings } from "./effective";
import type { SettingName } from "./setting-list";

export interface KeyDefaults {
  readonly requestsPerMinute: number;
  /** Null: no budget of its own. */
  readonly budget: Micropoints | null;
}

export function keyDefaultsOf(value: (name: SettingName) => string): KeyDefaults {
  const budget = value("key_budget");
  return { requestsPerMinute: Number(value("key_requests_per_minute")), budget: budget === "none" ? null : parsePoints(budget) };
}

/** The limits that a new key gets where none are given, as they are at this moment. */
export async function readKeyDefaults(database: Database): Promise<KeyDefaults> {
  const rows = await database.liveSetting.findMany({ where: { name: { startsWith: "key_" } } });
  const settings = effectiveSettings(new Map(rows.map(({ name, value }) => [name, value])), {});
  return keyDefaultsOf((name) => settings.find((setting) => setting.name === name)?.value ?? "");
}
