import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { readEffectiveSettings } from "../live-settings/live-settings";

/** Whether operators let accounts be topped up automatically. */
export async function isAutoTopupOn(pool: Reader): Promise<boolean> {
  const settings = await readEffectiveSettings(pool, {}, ["automatic_topup"]);
  return settings.some(({ value }) => value === "yes");
}

/** Rejects with `not_found` where it is switched off. */
export async function assertAutoTopupOn(pool: Reader): Promise<void> {
  if (!(await isAutoTopupOn(pool)))
    throw new RelayError("not_found", { message: "Automatic top-up is switched off here." });
}
