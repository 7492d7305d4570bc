/** Batches as the ledger of release 0.1.0 takes them: for `tools/bench/ledger.ts`. */
import type pg from "pg";
import type { HoldRequest, SettleRequest } from "@/lib/ledger/core/verbs";

const text = (items: readonly object[]) =>
  JSON.stringify(items, (_, value) => (typeof value === "bigint" ? Number(value) : value));

const holdsText = (requests: readonly HoldRequest[]) =>
  text(
    requests.map((r, i) => ({
      i,
      id: r.operationId,
      account: r.accountId,
      key: r.apiKeyId,
      source: r.source,
      request: r.requestId,
      family: r.family,
      model: r.model,
      price: Number(r.priceVersionId),
      ppm: r.multiplierPpm,
      quote: r.quoteAmount,
      amount: r.holdAmount,
      least: r.holdAmountMin,
      sha: Buffer.from(r.requestSha256).toString("hex"),
      seconds: r.deadlineSeconds,
    })),
  );

const endsText = (requests: readonly SettleRequest[]) =>
  text(
    requests.map((r, i) => ({
      i,
      id: r.operationId,
      account: r.accountId,
      settled: true,
      amount: r.amount,
      input: r.usage.inputTokens,
      output: r.usage.outputTokens,
      usage: r.usage.reported,
      channel: r.outcome.channelId,
      upstream: r.outcome.upstreamRef,
      stream: r.outcome.isStream,
      abandoned: r.outcome.isAbandoned,
      duration: r.outcome.durationMs,
      first: r.outcome.firstByteMs,
    })),
  );

export function batchesBefore(client: pg.Client, node: string) {
  const apply = (
    requests: readonly { readonly accountId: string }[],
    ends: string | null,
    holds: string | null,
  ) =>
    client.query({
      name: "ledger_apply",
      text: "select ledger_apply($1, $2, $3, $4)",
      values: [node, [...new Set(requests.map(({ accountId }) => accountId))], ends, holds],
    });
  return {
    hold: (requests: readonly HoldRequest[]) => apply(requests, null, holdsText(requests)),
    end: (requests: readonly SettleRequest[]) => apply(requests, endsText(requests), null),
  };
}
