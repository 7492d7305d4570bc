/** Takes over what another relay has. It can be stopped at any time, and run again for the rest. */
import type pg from "pg";
import { invalidValue } from "../failures/relay-error";
import { findSource, lockSource, openSourceBook, readMoved } from "./book";
import { moveChannels } from "./channels";
import type { ImportContext, ImportDeps, ImportOptions } from "./context";
import { moveGroups } from "./groups";
import { moveKeys } from "./keys";
import { moveLogs } from "./logs";
import { moveModels, offerModels } from "./models";
import { moveSubscriptions } from "./moved-plans";
import { readRatios } from "./ratios";
import type { ImportReport } from "./report";
import type { Source, SourceTable } from "./sources/source";
import { readPlans, readSubscriptions } from "./subscriptions";
import { moveUsers } from "./users";
import { moveVouchers } from "./vouchers";

const needed: readonly SourceTable[] = ["users", "tokens", "channels"];

export interface ImportRequest extends ImportOptions {
  readonly actor: string;
  readonly from: Source;
  /** A connection to our database on which a statement may take long. */
  readonly client: pg.ClientBase;
  readonly report: ImportReport;
}

async function assertSource(from: Source): Promise<void> {
  for (const table of needed) {
    if (await from.has(table)) continue;
    throw invalidValue(
      "database",
      `database has no table ${table}: it is no database of new-api or one-api.`,
    );
  }
}

/** Fills the report. Rejects with `invalid_value` for what is no such source. */
export async function runImport(deps: ImportDeps, request: ImportRequest): Promise<void> {
  const { client, source, from, isDry } = request;
  await assertSource(from);
  await lockSource(client, source);
  const there = await findSource(client, source);
  if (!isDry) await openSourceBook(client, source);
  const context: ImportContext = {
    ...request,
    deps,
    ratios: await readRatios(from),
    subscriptions: await readSubscriptions(from),
    plansThere: await readPlans(from, request.plans),
    moved: {
      models: new Map(),
      groups: new Map(),
      users: await readMoved(client, source.name, "user"),
      keys: await readMoved(client, source.name, "key"),
    },
  };
  const { quotaPerUnit } = context.ratios;
  if (quotaPerUnit !== source.quotaPerPoint)
    request.report.remark(
      "users",
      `${quotaPerUnit} and ${source.quotaPerPoint}`,
      "one of its currency is another number of quota than a point: see --quota-per-point",
    );
  await moveModels(context);
  const supply = await moveChannels(context);
  await offerModels(context, supply.served);
  await moveGroups(context, supply);
  await moveUsers(context);
  await moveSubscriptions(context);
  await moveKeys(context);
  if (await from.has("redemptions")) await moveVouchers(context);
  if (await from.has("logs")) await moveLogs(context, there?.logsTo ?? -1n);
}
