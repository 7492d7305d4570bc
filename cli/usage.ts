import { droppedMonthsOf } from "@/lib/ledger/archive/dropped-months";
import { pointsNumber } from "@/lib/money/points";
import { type UsageRecord, usageRecords } from "@/lib/queries/history";
import { findUserByEmail } from "@/lib/queries/users";
import type { Command } from "./command";
import { table } from "./table";

const view = (record: UsageRecord) => ({
  request_id: record.requestId,
  model: record.model,
  input_tokens: record.inputTokens,
  output_tokens: record.outputTokens,
  points: pointsNumber(record.amount),
  // Only usage that the upstream reported is charged, so nothing is an estimate.
  estimated: false,
  created_at: record.createdAt.toISOString(),
});

const list: Command = {
  usage: "--email E [--from ISO] [--to ISO]",
  async run(installation, flags) {
    const from = flags.moment("from") ?? new Date(0);
    const to = flags.moment("to") ?? new Date(Date.now() + 86_400_000);
    const { accountId } = await findUserByEmail(installation, flags.text("email"));
    const usage: ReturnType<typeof view>[] = [];
    let cursor: string | undefined;
    do {
      const page = await usageRecords(installation.pool, accountId, { from, to, cursor });
      usage.push(...page.records.map(view));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const range = { after: from.toISOString(), before: to.toISOString() };
    const archived = await droppedMonthsOf(installation.pool, accountId, range);
    const note = `Not listed, because the requests are archived: ${archived.join(", ")}.`;
    const text = archived.length === 0 ? table(usage) : `${table(usage)}\n${note}`;
    return { json: { usage, archived }, text };
  },
};

export const usageCommands = { "": list };
