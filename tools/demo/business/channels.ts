/** The channels of the demo, and a process that died with work under way. */
import { builtInModels as models } from "@/lib/catalog/built-in";
import {
  changeChannel,
  createChannel,
  type NewChannel,
  setChannelState,
} from "@/lib/commands/channels";
import { mapModel } from "@/lib/commands/map-model";
import { offerModel } from "@/lib/commands/model-states";
import { createModel } from "@/lib/commands/models";
import { removeChannel } from "@/lib/commands/remove-channel";
import { setUpstreamAlarm } from "@/lib/commands/upstream-alarm";
import { noteUpstreamRates, reconcileBill } from "@/lib/commands/upstream-bills";
import { setPriceList } from "@/lib/commands/upstream-price-lists";
import { noteUpstreamPrice } from "@/lib/commands/upstream-prices";
import type { ChannelProtocol, Family } from "@/lib/contract/states";
import { sandboxName } from "@/lib/sandbox/sandbox-name";
import { DEAD_NODE } from "../plan";
import { HISTORY_DAYS, momentOf } from "../times";
import type { Writing } from "../writing";

/** Any text: the demo's upstream takes every credential. */
const UPSTREAM_KEY = "upstream-key-of-the-demo";

type Bounds = Pick<NewChannel, "priority" | "weight" | "requestsPerSecond">;
type Plan = readonly [
  name: string,
  protocol: ChannelProtocol,
  path: string,
  families: readonly Family[],
  madeDaysAgo: number,
  bounds?: Bounds,
];

const first = HISTORY_DAYS;
const media = ["video", "image"] as const;
const plans: readonly Plan[] = [
  ["Harbor Text", "openai", "/harbor/v1", ["text"], first, { priority: 10, weight: 3 }],
  ["Meridian Text", "openai", "/meridian/v1", ["text"], first, { priority: 10, weight: 1 }],
  ["Northlight", "ark", "/northlight/api/v3", media, first, { priority: 10 }],
  ["Northlight reserve", "ark", "/reserve/api/v3", ["video"], first, { requestsPerSecond: 20 }],
  ["Lantern Images", "openai", "/lantern/v1", ["image"], 1, { priority: -5 }],
  ["Sister installation", "relay", "/twin/v1", ["text"], 83, { priority: -10 }],
  ["Trial upstream", "openai", "/trial/v1", ["text"], 82],
];

/** When each channel is created, by its name. */
export const channelTimes = (end: number): ReadonlyMap<string, number> =>
  new Map(
    plans.map(([name, , , , daysAgo], index) => [name, momentOf(end, daysAgo, 12 + index / 10)]),
  );

const [TEXT_UPSTREAM = ""] = models.filter(({ family }) => family === "text").map(sandboxName);

/** A model of the operator's own, so that the playground can compare two answers. */
const OWN_MODEL = {
  id: "Harbor-Mini",
  aliases: ["harbor-mini"],
  family: "text",
  spec: { output_tokens_max: 8192 },
  names: {
    en: { title: "Harbor Mini", sentence: "Short answers, for less than RelayV1." },
    "zh-CN": { title: "Harbor Mini", sentence: "回答简短，价格低于 RelayV1。" },
  },
  rates: [
    { unit: "input_token", points: 20 },
    { unit: "output_token", points: 160 },
  ],
};

export function addChannels(writing: Writing): void {
  const { demo, given, channels, timeline } = writing;
  const times = channelTimes(given.end);
  for (const [name, protocol, path, families, , bounds] of plans) {
    const offered = models.filter(({ family }) => families.includes(family));
    timeline.add(times.get(name) ?? 0, async () => {
      const { id } = await createChannel(demo, writing.operator, {
        ...{ name, protocol, baseUrl: `${given.upstreamOrigin}${path}`, apiKey: UPSTREAM_KEY },
        models: Object.fromEntries(offered.map((model) => [model.id, sandboxName(model)])),
        ...bounds,
      });
      channels.set(name, id);
    });
  }
  const of = (name: string) => ({ id: channels.get(name) ?? "" });
  const setState = (name: string, state: "draining" | "disabled") =>
    setChannelState(demo, writing.operator, { ...of(name), state });
  writing.at(81, 16, () => setState("Trial upstream", "disabled"));
  writing.at(81, 17, () => removeChannel(demo, writing.operator, of("Trial upstream")));
  writing.at(60, 12, () => setState("Sister installation", "disabled"));
  writing.at(17, 13, () =>
    changeChannel(demo, writing.secondOperator, { ...of("Meridian Text"), timeoutSeconds: 60 }),
  );
  writing.at(10, 9, async () => {
    const bill = { channelId: of("Harbor Text").id, currency: "USD" };
    const rates = [
      { unit: "input_token", amount: 2_000_000n },
      { unit: "output_token", amount: 8_000_000n },
    ] as const;
    const model = TEXT_UPSTREAM;
    const asked = { ...bill, model, rates, effectiveAt: new Date(0) };
    await noteUpstreamRates(demo, writing.operator, asked);
    const list = { channelId: bill.channelId, format: "new-api", currency: "USD" } as const;
    await setPriceList(demo, writing.operator, { ...list, address: null });
    await demo.pool.query(
      `insert into upstream_listed_rate (channel_id, model, rates)
       values ($1, $2, '[{"unit": "input_token", "amount": 2500000}, {"unit": "output_token", "amount": 8000000}]')`,
      [bill.channelId, model],
    );
    await setUpstreamAlarm(demo, writing.operator, {
      channelId: bill.channelId,
      below: 20_000_000n,
    });
    const time = new Date(momentOf(given.end, 11, 12)).toISOString();
    const text = `id,time,model,input_tokens,output_tokens,cost\nharbor-1,${time},${model},1200,300,0.0048`;
    const file = { name: "harbor-october.csv", text, format: "csv" } as const;
    await reconcileBill(demo, writing.operator, { ...bill, ...file });
  });
  writing.at(20, 11, async () => {
    const { id } = await createModel(demo, writing.operator, OWN_MODEL);
    const served = { id, channelId: of("Harbor Text").id, upstreamModel: TEXT_UPSTREAM };
    await mapModel(demo, writing.operator, served);
    const price = { currency: "EUR", input: 110_360n, output: 882_880n };
    await noteUpstreamPrice(demo, writing.operator, { subject: id, price });
    await offerModel(demo, writing.operator, { id, anyway: "It is the upstream of RelayV1." });
  });
  writing.at(9, 10, () => setState("Northlight reserve", "draining"));
  // A replica whose disk is gone: its holds wait until an operator gives it up.
  writing.ago(5.3, () =>
    demo.pool.query(
      `insert into node (id, store_id, started_at, lease_until)
       values ($1, 'replica-2', now() - interval '4 days', now() + interval '15 seconds')`,
      [DEAD_NODE],
    ),
  );
}
