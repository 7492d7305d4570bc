import type { LiveSettingName } from "../contract/setting-names";
import type { Transaction } from "../db/client";
import { type Micropoints, parsePoints } from "../money/points";
import { effectiveSettings } from "./effective";

export interface KeyDefaults {
  readonly requestsPerMinute: number;
  /** Null when a key has no budget of its own. */
  readonly budget: Micropoints | null;
}

/**
 * The current default limits of an account's new keys. The account's own defaults take precedence.
 */
export async function readKeyDefaults(
  database: Pick<Transaction, "liveSetting" | "account">,
  accountId: string,
): Promise<KeyDefaults> {
  const [rows, account] = await Promise.all([
    database.liveSetting.findMany({ where: { name: { startsWith: "key_" } } }),
    database.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { keyRequestsPerMinute: true },
    }),
  ]);
  const settings = effectiveSettings(new Map(rows.map(({ name, value }) => [name, value])), {});
  const value = (name: LiveSettingName) =>
    settings.find((setting) => setting.name === name)?.value ?? "";
  const budget = value("key_budget");
  return {
    requestsPerMinute: account.keyRequestsPerMinute ?? Number(value("key_requests_per_minute")),
    budget: budget === "none" ? null : parsePoints(budget),
  };
}
