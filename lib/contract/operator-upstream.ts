/** Our own accounts at upstreams: what is left there, under `/api/admin/upstream-balances`. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { ID_LENGTH_MAX } from "./limits";
import type { PageEndpoints } from "./page-endpoint";
import { money, moneyInput } from "./points";

const channelId = z.string().min(1).max(ID_LENGTH_MAX);

const balance = z.object({
  channelId: answerText,
  channel: answerText,
  /** Which of several credentials; null where the channel has one. */
  credential: answerText.nullable(),
  /** Null where it is not known. */
  balance: money.nullable(),
  /** Three letters, or points of another relay. */
  currency: answerText.nullable(),
  readAt: moment.nullable(),
  /** Why the last reading gave none. */
  failed: answerText.nullable(),
  /** The amount below which operators are told. */
  alarmBelow: money.nullable(),
  lowSince: moment.nullable(),
});
const balances = z.object({ balances: answerRows(balance) });

export const upstreamEndpoints = {
  listUpstreamBalances: {
    method: "GET",
    path: "/api/admin/upstream-balances",
    who: "operator",
    scope: "channels:read",
    command: "upstream balances",
    answer: balances,
  },
  setUpstreamAlarm: {
    method: "POST",
    path: "/api/admin/upstream-balances",
    who: "operator",
    scope: "channels:write",
    command: "upstream set-alarm",
    body: z.strictObject({
      channelId,
      /** In the upstream's currency, more than 0; null for no alarm. */
      below: moneyInput.nullable(),
    }),
    answer: balances,
  },
} as const satisfies PageEndpoints;

export type UpstreamBalanceView = z.infer<typeof balance>;
