/** Reads the price list of a channel's upstream. */
import { type PriceListPlace, type PriceListRead, priceListFormats } from "../price-list";
import type { Channel } from "../provider";
import type { JsonCaller } from "../transport/json-caller";

/** LiteLLM's file has a few megabytes. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const DEADLINE_MS = 60_000;

/** The channel as it is asked for its list: another host gets neither its credential nor its headers. */
function asked(channel: Channel, { format, address }: PriceListPlace): [Channel, string] {
  const { path, isAtRoot } = priceListFormats[format];
  const base = new URL(channel.baseUrl);
  if (address === null) return [isAtRoot ? { ...channel, baseUrl: base.origin } : channel, path];
  const { origin, pathname, search } = new URL(address);
  const place = { ...channel, baseUrl: origin };
  return [
    origin === base.origin ? place : { ...place, apiKey: null, headers: {} },
    `${pathname}${search}`,
  ];
}

/** Never rejects. Nothing is ordered. */
export async function readPriceList(
  caller: Pick<JsonCaller, "call">,
  channel: Channel,
  place: PriceListPlace,
): Promise<PriceListRead> {
  const [to, path] = asked(channel, place);
  const answer = await caller.call(to, {
    ...{ method: "GET", path, deadlineMs: DEADLINE_MS },
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  if (!answer.isOk) return { isOk: false, reason: answer.failure.internal.slice(0, 200) };
  const rates = priceListFormats[place.format].read(answer.body ?? {});
  return rates.size > 0
    ? { isOk: true, rates }
    : { isOk: false, reason: "the answer names no price of a model" };
}
