/** The channels of the demo, and a process that died with work under way. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtInModels as models } from "@/lib/catalog/built-in";
import {
  changeChannel,
  createChannel,
  type NewChannel,
  removeChannel,
  setChannelState,
} from "@/lib/commands/channels";
import type { ChannelProtocol } from "@/lib/contract/states";
import { newId, newNodeId, newOperationId } from "@/lib/ids";
import { createLedger } from "@/lib/ledger/ledger";
import { holdAmountOf } from "@/lib/relay/order/charge";
import { sandboxName } from "@/lib/sandbox/sandbox-name";
import { HISTORY_DAYS, HOUR, MINUTE, momentOf } from "../rhythm";
import type { Writing } from "../writing";

/** Any text: the demo's upstream takes every credential. */
const UPSTREAM_KEY = "upstream-key-of-the-demo";

interface ChannelPlan {
  readonly name: string;
  readonly protocol: ChannelProtocol;
  readonly path: string;
  readonly offers: (model: (typeof models)[number]) => boolean;
  readonly bounds?: Pick<NewChannel, "priority" | "weight" | "requestsPerSecond">;
  readonly madeDaysAgo: number;
}

const plans: Readonly<Record<string, ChannelPlan>> = {
  harbor: {
    name: "Harbor Text",
    protocol: "openai",
    path: "/harbor/v1",
    offers: ({ family }) => family === "text",
    bounds: { priority: 10, weight: 3, requestsPerSecond: 50 },
    madeDaysAgo: HISTORY_DAYS,
  },
  meridian: {
    name: "Meridian Text",
    protocol: "openai",
    path: "/meridian/v1",
    offers: ({ family }) => family === "text",
    bounds: { priority: 10, weight: 1, requestsPerSecond: 20 },
    madeDaysAgo: HISTORY_DAYS,
  },
  northlight: {
    name: "Northlight",
    protocol: "ark",
    path: "/northlight/api/v3",
    offers: ({ family }) => family !== "text",
    bounds: { priority: 10 },
    madeDaysAgo: HISTORY_DAYS,
  },
  reserve: {
    name: "Northlight reserve",
    protocol: "ark",
    path: "/reserve/api/v3",
    offers: (model) => model.family === "video" && !model.hasAudio,
    madeDaysAgo: HISTORY_DAYS - 4,
  },
  lantern: {
    name: "Lantern Images",
    protocol: "openai",
    path: "/lantern/v1",
    offers: ({ family }) => family === "image",
    bounds: { priority: -5 },
    madeDaysAgo: 1,
  },
  twin: {
    name: "Sister installation",
    protocol: "relay",
    path: "/twin/v1",
    offers: ({ family }) => family === "text",
    bounds: { priority: -10 },
    madeDaysAgo: 83,
  },
  trial: {
    name: "Trial upstream",
    protocol: "openai",
    path: "/trial/v1",
    offers: ({ family }) => family === "text",
    madeDaysAgo: 82,
  },
};

async function create(writing: Writing, name: string, plan: ChannelPlan): Promise<void> {
  const { demo, given, channels } = writing;
  const offered = models.filter(plan.offers).map((model) => [model.id, sandboxName(model)]);
  const made = await createChannel(demo, writing.operator, {
    name: plan.name,
    protocol: plan.protocol,
    baseUrl: `${given.upstreamOrigin}${plan.path}`,
    apiKey: UPSTREAM_KEY,
    models: Object.fromEntries(offered),
    ...plan.bounds,
  });
  const { id, baseUrl, protocol, requestsPerSecond, requestsPerMinute } = made;
  const { priority, weight, timeoutSeconds } = made;
  const limits = { requestsPerSecond, requestsPerMinute, priority, weight, timeoutSeconds };
  channels.set(name, {
    id,
    name: made.name,
    baseUrl,
    protocol,
    models: made.models,
    apiKey: null,
    ...limits,
  });
}

function addChanges(writing: Writing): void {
  const { timeline, given, demo } = writing;
  const at = (daysAgo: number, hour: number, run: () => Promise<unknown>) =>
    timeline.add(momentOf(given.end, daysAgo, hour), run);
  const idOf = (name: string) => writing.channel(name).id;
  const setState = (name: string, state: "draining" | "disabled") =>
    setChannelState(demo, writing.operator, { id: idOf(name), state });
  at(81, 16, () => setState("trial", "disabled"));
  at(81, 17, () => removeChannel(demo, writing.operator, { id: idOf("trial") }));
  at(60, 12, () => setState("twin", "disabled"));
  at(17, 13, () =>
    changeChannel(demo, writing.secondOperator, { id: idOf("meridian"), timeoutSeconds: 60 }),
  );
  at(9, 10, () => setState("reserve", "draining"));
}

/** A replica whose disk is gone: its holds wait until an operator gives it up. */
async function leaveReplica(writing: Writing): Promise<void> {
  const { demo } = writing;
  const spoolFolder = mkdtempSync(join(demo.folder, "replica-"));
  const nodeId = newNodeId();
  const replica = await createLedger({ databaseUrl: demo.databaseUrl, spoolFolder, nodeId });
  const email = "priya@atlas-learning.example";
  const { accountId } = writing.person(email);
  const sold = writing.priced(accountId, "RelayV1");
  const amount = holdAmountOf({ inputTokens: 4200, outputTokens: 1024 }, sold);
  for (let seconds = 0; seconds < 3; seconds++)
    await replica.openHold({
      operationId: newOperationId(demo.clock.now() - seconds * 1000),
      accountId,
      apiKeyId: writing.keys.get(`${email} Tutor`) ?? null,
      source: "api",
      requestId: newId("request"),
      family: "text",
      model: sold.model.id,
      priceVersionId: sold.price.id,
      multiplierPpm: sold.multiplierPpm,
      quoteAmount: amount,
      holdAmount: amount,
      holdAmountMin: amount,
      requestSha256: new Uint8Array(32),
      deadlineSeconds: 7200,
    });
  await replica.close();
  rmSync(spoolFolder, { recursive: true });
  await demo.pool.query(
    `insert into node (id, store_id, started_at, lease_until)
     values ($1, 'replica-2', now() - interval '4 days', now() + interval '15 seconds')`,
    [nodeId],
  );
}

export function addChannels(writing: Writing): void {
  const { timeline, given } = writing;
  Object.entries(plans).forEach(([name, plan], index) => {
    const at = momentOf(given.end, plan.madeDaysAgo, 12) + index * 6 * MINUTE;
    timeline.add(at, () => create(writing, name, plan));
  });
  addChanges(writing);
  timeline.add(given.end - 5.4 * HOUR, () => leaveReplica(writing));
}
