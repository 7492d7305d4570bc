/**
 * Our own accounts at upstreams: what is left there, under `/api/admin/upstream-balances`, and what their
 * price lists ask, under `/api/admin/upstream-price-lists`.
 */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { ID_LENGTH_MAX, PRICE_LIST_ADDRESS_MAX, UPSTREAM_MODEL_LENGTH_MAX } from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { money, moneyInput } from "./points";
import { priceListFormatNames } from "./price-list-words";
import { rateView } from "./rates";
import { shownName } from "./shown-text";

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

const priceLists = z.object({
  lists: answerRows(
    z.object({
      channelId: answerText,
      channel: answerText,
      format: z.enum(priceListFormatNames),
      /** Null: where the channel's base URL has it. */
      address: answerText.nullable(),
      currency: answerText,
      readAt: moment.nullable(),
      /** Why the last reading failed. */
      failed: answerText.nullable(),
    }),
  ),
  /** The models of which a list asks something else than is noted. */
  differences: answerRows(
    z.object({
      channelId: answerText,
      channel: answerText,
      /** The upstream's name for the model. */
      model: answerText,
      currency: answerText,
      asked: answerRows(rateView),
      /** Null where no rates are noted. */
      noted: answerRows(rateView).nullable(),
      /** Names the rates that are asked. */
      digest: answerText,
      /** Since when the list asks them. */
      since: moment,
    }),
  ),
});

export const upstreamEndpoints = {
  listUpstreamBalances: {
    ...get("/api/admin/upstream-balances", byOperator("channels:read")),
    command: "upstream balances",
    answer: balances,
  },
  setUpstreamAlarm: {
    ...post("/api/admin/upstream-balances", byOperator("channels:write")),
    command: "upstream set-alarm",
    body: z.strictObject({
      channelId,
      /** In the upstream's currency, more than 0; null for no alarm. */
      below: moneyInput.nullable(),
    }),
    answer: balances,
  },
  listUpstreamPriceLists: {
    ...get("/api/admin/upstream-price-lists", byOperator("money:read")),
    command: "upstream price-lists",
    answer: priceLists,
  },
  setUpstreamPriceList: {
    ...post("/api/admin/upstream-price-lists", byOperator("prices:write")),
    command: "upstream set-price-list",
    proof: "recent",
    body: z.strictObject({
      channelId,
      /** Null: no list is read. */
      format: z.enum(priceListFormatNames).nullable(),
      /** Null: where the channel's base URL has it. */
      address: shownName(PRICE_LIST_ADDRESS_MAX).nullable().default(null),
      currency: z
        .string()
        .max(3)
        .regex(/^[A-Z]{3}$/, "it must be three capital letters, such as CNY or USD")
        .default("USD"),
    }),
    answer: priceLists,
  },
  acceptUpstreamRates: {
    ...post("/api/admin/upstream-price-lists/accept", byOperator("prices:write")),
    command: "upstream accept-rates",
    proof: "recent",
    body: z.strictObject({
      channelId,
      /** The upstream's name for the model. */
      model: z.string().min(1).max(UPSTREAM_MODEL_LENGTH_MAX),
      /** Of the rates that were seen; absent for whatever was read last. */
      digest: z.string().max(16).optional(),
    }),
    answer: priceLists,
  },
} as const satisfies PageEndpoints;

export type PriceLists = z.infer<typeof priceLists>;
