/** Counts the relay's work: requests, tokens, points, the ledger's batches, the calls upstream. */
import type { EndpointRow } from "../contract/endpoint";
import { failures } from "../failures/failure-table";
import type { Endpoint } from "../http/exchange";
import type { TaskLedger } from "../ledger/core/task-verbs";
import type { EndResult, HoldRequest, Ledger, SettleRequest } from "../ledger/core/verbs";
import type { Meter } from "../upstream/meter";
import type { Channel } from "../upstream/provider";
import type { ByLabels, Counter, Histogram, Registry } from "./registry";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const FAST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const BATCH_ITEMS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const MICROPOINTS = 1e6;
const knownStatuses = new Set([
  200,
  201,
  202,
  204,
  206,
  304,
  416,
  ...Object.values(failures).map(({ status }) => status),
]);

type CountedLedger = Ledger & TaskLedger;

export interface RelayMetrics {
  /** Wraps the endpoint: counts its answers by status and measures the time to their start. */
  watch(row: EndpointRow, endpoint: Endpoint): Endpoint;
  /** Counts an answer of the pages or their API. */
  notePage(status: number, seconds: number): void;
  /** Wraps the ledger: counts holds, charges and releases. */
  watchLedger(ledger: CountedLedger): CountedLedger;
  noteBatch(items: number, seconds: number): void;
  /** How many batches of the ledger were noted. */
  batches(): number;
  /** Wraps `meter`: counts each attempt as well. */
  watchMeter(meter: Meter): Meter;
}

/** Members by two labels, found without building a text. */
function byTwo<Member>(
  of: ByLabels<Member>,
  outer: string,
  inner: string,
): (one: string, other: string) => Member {
  const known = new Map<string, Map<string, Member>>();
  return (one, other) => {
    let row = known.get(one);
    if (!row) {
      row = new Map();
      known.set(one, row);
    }
    let member = row.get(other);
    if (!member) {
      member = of({ [outer]: one, [inner]: other });
      row.set(other, member);
    }
    return member;
  };
}

function openRequests(registry: Registry) {
  const requests = registry.counter(
    "relay_requests_total",
    "Requests answered, by endpoint and HTTP status.",
  );
  const latency = registry.histogram(
    "relay_request_seconds",
    "Time until the answer starts, by endpoint.",
    SECONDS,
  );
  return (endpoint: string) => {
    const byStatus = new Map<number, Counter>();
    const times = latency({ endpoint });
    return (status: number, seconds: number) => {
      let counter = byStatus.get(status);
      if (!counter) {
        counter = requests({
          endpoint,
          status: knownStatuses.has(status) ? String(status) : `${Math.trunc(status / 100)}xx`,
        });
        byStatus.set(status, counter);
      }
      counter.add();
      times.observe(seconds);
    };
  };
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000;

type CounterByTwo = (one: string, other: string) => Counter;

function holdCounts(seconds: Histogram, holds: CounterByTwo) {
  return async <Result extends { result: string }>(
    request: HoldRequest,
    work: Promise<Result>,
  ): Promise<Result> => {
    const startedAt = performance.now();
    try {
      const held = await work;
      seconds.observe(secondsSince(startedAt));
      holds(request.family, held.result).add();
      return held;
    } catch (error) {
      holds(request.family, "failed").add();
      throw error;
    }
  };
}

function openEndCounts(
  registry: Registry,
  seconds: Histogram,
  ends: CounterByTwo,
  onSpooled: () => void,
) {
  const points = registry.counter(
    "relay_points_settled_total",
    "Points charged by this process.",
  )({});
  const tokens = registry.counter(
    "relay_tokens_total",
    "Tokens charged by this process, by direction.",
  );
  const input = tokens({ direction: "input" });
  const output = tokens({ direction: "output" });
  return async (request: SettleRequest | null, work: Promise<EndResult>): Promise<EndResult> => {
    const startedAt = performance.now();
    const ended = await work;
    seconds.observe(secondsSince(startedAt));
    ends(ended.outcome, ended.result).add();
    if (ended.result === "spooled") onSpooled();
    if (request !== null && ended.outcome === "settled" && ended.result !== "already") {
      points.add(Number(ended.amount) / MICROPOINTS);
      input.add(request.usage.inputTokens);
      output.add(request.usage.outputTokens);
    }
    return ended;
  };
}

/** Wraps the ledger so that its verbs are counted when they are answered. */
function openLedgerCounts(registry: Registry, onSpooled: () => void): RelayMetrics["watchLedger"] {
  const holdSeconds = registry.histogram(
    "relay_hold_seconds",
    "Time until a hold is committed or refused.",
    FAST_SECONDS,
  )({});
  const endSeconds = registry.histogram(
    "relay_settle_seconds",
    "Time until a charge or a release is durable.",
    FAST_SECONDS,
  )({});
  const holds = byTwo(
    registry.counter("relay_holds_total", "Requested holds, by model family and result."),
    "family",
    "result",
  );
  const ends = byTwo(
    registry.counter("relay_ends_total", "Holds ended by this process, by outcome and result."),
    "outcome",
    "result",
  );
  const hold = holdCounts(holdSeconds, holds);
  const end = openEndCounts(registry, endSeconds, ends, onSpooled);
  return (ledger) => ({
    openHold: (request) => hold(request, ledger.openHold(request)),
    settle: (request) => end(request, ledger.settle(request)),
    release: (request) => end(null, ledger.release(request)),
    openTask: (request, task) => hold(request, ledger.openTask(request, task)),
    settleTask: (request, task) => end(request, ledger.settleTask(request, task)),
    releaseTask: (request, task) => end(null, ledger.releaseTask(request, task)),
    credit: (...given) => ledger.credit(...given),
    refund: (...given) => ledger.refund(...given),
    openWallet: (accountId) => ledger.openWallet(accountId),
    setKeyBudget: (...given) => ledger.setKeyBudget(...given),
    setKeyLimit: (...given) => ledger.setKeyLimit(...given),
    balance: (accountId) => ledger.balance(accountId),
  });
}

function openUpstreamCounts(registry: Registry): (meter: Meter) => Meter {
  const attempts = byTwo(
    registry.counter("relay_upstream_requests_total", "Attempts upstream, by channel and result."),
    "channel",
    "result",
  );
  const latencies = new Map<string, Histogram>();
  const latency = registry.histogram(
    "relay_upstream_seconds",
    "Time until an upstream's answer, or a stream's first chunk.",
    SECONDS,
  );
  const latencyOf = (channel: string) => {
    const known = latencies.get(channel) ?? latency({ channel });
    latencies.set(channel, known);
    return known;
  };
  const running = new Map<string, { readonly channel: Channel; count: number }>();
  const change = (channel: Channel, by: number) => {
    const known = running.get(channel.id) ?? { channel, count: 0 };
    known.count += by;
    running.set(channel.id, known);
  };
  registry.gauge(
    "relay_upstream_running",
    "Running calls to upstreams, by channel.",
    () =>
      [...running.values()].map(({ channel, count }) => ({
        labels: { channel: channel.name },
        value: count,
      })),
    "sum",
  );
  return (meter) => ({
    begin(channel) {
      change(channel, 1);
      meter.begin(channel);
    },
    end(channel) {
      change(channel, -1);
      meter.end(channel);
    },
    note(channel, failure, latencyMs) {
      attempts(channel.name, failure?.code ?? "ok").add();
      if (failure === null) latencyOf(channel.name).observe(latencyMs / 1000);
      meter.note(channel, failure, latencyMs);
    },
    count: meter.count,
  });
}

/** `onSpooled`: called for each end that waits on the disk. */
export function createRelayMetrics(
  registry: Registry,
  onSpooled: () => void = () => {},
): RelayMetrics {
  const requestsOf = openRequests(registry);
  const notePage = requestsOf("pages");
  let batches = 0;
  const batchItems = registry.histogram(
    "relay_ledger_batch_items",
    "Verbs carried by one batch of the ledger's writer.",
    BATCH_ITEMS,
  )({});
  const batchSeconds = registry.histogram(
    "relay_ledger_batch_seconds",
    "Time a batch took in the database.",
    FAST_SECONDS,
  )({});
  return {
    watch({ name }, endpoint) {
      const note = requestsOf(name);
      return async (incoming, signedIn) => {
        const startedAt = performance.now();
        const outgoing = await endpoint(incoming, signedIn);
        note(outgoing.status, secondsSince(startedAt));
        return outgoing;
      };
    },
    notePage,
    watchLedger: openLedgerCounts(registry, onSpooled),
    noteBatch(items, seconds) {
      batches++;
      batchItems.observe(items);
      batchSeconds.observe(seconds);
    },
    batches: () => batches,
    watchMeter: openUpstreamCounts(registry),
  };
}
