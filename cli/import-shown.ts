import { pointsOfQuota } from "@/lib/import/rate";
import { pointsNumber } from "@/lib/money/points";
import { listMovedSources, listMovedUsage } from "@/lib/queries/moved";
import { ACCOUNT, accountNamed } from "./account-option";
import type { Command, PoolCommand } from "./command";
import { table } from "./table";

const list: PoolCommand = {
  usage: "  (the relays from which something moved)",
  async runOnPool(pool) {
    const sources = (await listMovedSources(pool)).map(({ quotaPerPoint, createdAt, ...rest }) => ({
      ...rest,
      quota_per_point: Number(quotaPerPoint),
      created_at: createdAt,
    }));
    return { json: { sources }, text: table(sources) };
  },
};

const usage: Command = {
  usage: `${ACCOUNT}   (what it used there, by day)`,
  async run(installation, flags) {
    const account = await accountNamed(installation, flags);
    const rows = (await listMovedUsage(installation.pool, account)).map((row) => ({
      source: row.source,
      day: row.day,
      model: row.model,
      key: row.apiKeyId || null,
      requests: Number(row.requests),
      input_tokens: Number(row.inputTokens),
      output_tokens: Number(row.outputTokens),
      points: pointsNumber(pointsOfQuota(BigInt(row.quota), BigInt(row.quotaPerPoint))),
    }));
    return { json: { account, usage: rows }, text: table(rows) };
  },
};

export const shownCommands = { list, usage };
