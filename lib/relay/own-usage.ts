/** `GET /v1/usage`: what a key may read of the usage of its account. */
import { usageOwnerOf } from "../accounts/order-reader";
import type { Principal } from "../accounts/principal";
import type { Endpoints } from "../contract/endpoints";
import { type UsageQuery, type UsageResponse, usageQuery } from "../contract/own-account";
import { readTagText } from "../contract/tags";
import type { HistoryReaders } from "../db/history-readers";
import { invalidValue } from "../failures/relay-error";
import { goneSignal } from "../http/exchange";
import { jsonAnswer, type UseCase } from "../http/serve";
import { validateQuery } from "../http/validate";
import {
  type UsageGroup,
  type UsageSum,
  type UsageTags,
  usageSums,
} from "../ledger/usage/usage-sums";
import { pointsNumber } from "../money/points";
import { csvOf } from "../values/csv";
import { read } from "./own-account";

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The requested days. Throws 400 when they are in the wrong order or too far apart. */
function rangeOf(query: string) {
  const filter = validateQuery(usageQuery, query);
  const to = filter.to ?? dayOf(Date.now());
  const from = filter.from ?? dayOf(Date.parse(to) - (DAYS_DEFAULT - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1)
    throw invalidValue("from", `\`from\` is ${from}: it must not be after \`to\`, which is ${to}.`);
  if (days > DAYS_MAX) {
    const message = `\`from\` is ${from}: the range to ${to} has ${days} days, and at most ${DAYS_MAX} are allowed.`;
    throw invalidValue("from", message);
  }
  const by: UsageGroup = filter.group_by ?? "day";
  return { from, to, by, tags: tagsOf(filter) };
}

/** Null where the query names no tag. */
function tagsOf(filter: UsageQuery): UsageTags | null {
  const { tags: text, group_tag: group = null } = filter;
  if (text === undefined && group === null) return null;
  const tags = text === undefined ? {} : readTagText(text);
  return { tags: typeof tags === "string" ? {} : tags, group };
}

function sumsOf(sum: Omit<UsageSum, "group" | "name">) {
  const { requests, inputTokens, outputTokens, amount } = sum;
  return {
    requests,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    points: pointsNumber(amount),
  };
}

/** A management key needs the scope of members to see their addresses. */
const seesAddresses = (principal: Principal) =>
  principal.kind !== "managementKey" || principal.scopes.includes("members:read");

function lineOf(by: UsageGroup, sum: UsageSum): UsageResponse["data"][number] {
  const { group, name } = sum;
  const sums = sumsOf(sum);
  if (by === "key") return { key: group || null, key_name: name, ...sums };
  if (by === "tag") return { tag: group || null, ...sums };
  if (by === "member") return { member: group || null, member_email: name, ...sums };
  return { [by]: group, ...sums };
}

function totalOf(sums: readonly UsageSum[]) {
  const total = (pick: (sum: UsageSum) => number) =>
    sums.reduce((before, sum) => before + pick(sum), 0);
  return sumsOf({
    requests: total(({ requests }) => requests),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    amount: sums.reduce((before, { amount }) => before + amount, 0n),
  });
}

const wantsCsv = (accept: string | undefined) =>
  /(^|,)\s*text\/csv\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i.test(accept ?? "");

const columnsOf = {
  day: ["day"],
  model: ["model"],
  key: ["key", "key_name"],
  member: ["member", "member_email"],
  tag: ["tag"],
} as const satisfies Record<UsageGroup, readonly string[]>;

export function createGetUsage(
  readers: Pick<HistoryReaders, "of">,
): UseCase<Endpoints["getUsage"]> {
  return async (call) => {
    const range = rangeOf(call.incoming.query);
    const { principal } = call;
    const { accountId } = principal;
    const reader = readers.of(accountId, goneSignal(call.incoming));
    // Days and models do not say who else is there.
    const isPlain = range.tags === null && (range.by === "day" || range.by === "model");
    const wanted = isPlain ? "readUsage" : "readEveryResult";
    const owner = await read(usageOwnerOf(reader, principal, wanted));
    const sums = await read(usageSums(reader, accountId, { ...range, owner }));
    const isNamed = range.by !== "member" || seesAddresses(principal);
    const data = sums.map((sum) => lineOf(range.by, isNamed ? sum : { ...sum, name: null }));
    call.headers.vary = "accept";
    if (!wantsCsv(call.incoming.header("accept"))) {
      return jsonAnswer(call, {
        from: range.from,
        to: range.to,
        group_by: range.by,
        data,
        total: totalOf(sums),
      });
    }
    const groups = columnsOf[range.by];
    call.headers["content-type"] = "text/csv; charset=utf-8; header=present";
    call.headers["content-disposition"] =
      `attachment; filename="usage-${range.from}-${range.to}.csv"`;
    return {
      status: 200,
      headers: call.headers,
      body: csvOf([...groups, "requests", "input_tokens", "output_tokens", "points"], data),
    };
  };
}
