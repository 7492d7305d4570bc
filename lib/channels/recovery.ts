/**
 * Tests what rests by small requests, so that it comes back by itself and no customer's request has to
 * try it. One process of the installation makes each test.
 */
import type pg from "pg";
import { findModel } from "../catalog/models";
import { onlyCapOf } from "../contract/channel-profile";
import { type Running, startRounds } from "../rounds";
import type { Chooser } from "../upstream/choose";
import { credentialKey, keyParts } from "../upstream/credentials";
import { createProber } from "../upstream/probe";
import { short } from "../upstream/probe-requests";
import type { Channel, UpstreamFailure } from "../upstream/provider";
import type { Providers } from "../upstream/providers";

const LOOK_MS = 2000;
/** A rest that ends sooner is tested now: after it a customer's request would be the test. */
const ENDS_SOON_MS = 3000;
const TEST_TOKENS = 1;

export interface RecoveryDeps {
  readonly pool: Pick<pg.Pool, "query">;
  readonly chooser: Pick<Chooser, "restOf" | "resting" | "report" | "reportUsage" | "prolong">;
  /** Calls that count in no health. */
  readonly providers: Providers;
  readonly byId: (id: string) => Channel | undefined;
  /** Seconds between two tests of one channel; 0: nothing is tested. */
  readonly seconds: () => number;
}

/** Only one process gets a test, and the next one not before the interval is over. */
const claim = `
insert into channel_watch as w (channel_id, credential) values ($1, $2)
on conflict (channel_id, credential) do update set tested_at = now()
 where w.tested_at <= now() - make_interval(secs => $3)
returning channel_id`;

const note = `
update channel_watch set down_since = case when $3 then null else coalesce(down_since, now()) end
 where channel_id = $1 and credential = $2`;

/** The channel with the credential that is to be tested; one that does not rest, for the channel itself. */
function testedChannel(
  { byId, chooser }: RecoveryDeps,
  { channelId, credential }: ReturnType<typeof keyParts>,
): Channel | undefined {
  const channel = byId(channelId);
  if (channel === undefined) return undefined;
  const { choices } = channel;
  if (credential !== "") return choices?.find((each) => each.credential?.name === credential);
  const awake = choices?.find((each) => chooser.restOf(credentialKey(each)) === 0);
  return awake ?? choices?.[0] ?? channel;
}

/** A list of models is free, but not every server has one, and one that has may still not answer. */
async function testReach({ providers }: RecoveryDeps, channel: Channel) {
  if (channel.profile?.modelList === false) return null;
  const failure = await providers.reach(channel);
  return failure !== null && /^status (404|405|501)\b/.test(failure.internal) ? null : failure;
}

/** Null when it works. Text costs a few tokens; images and videos are never ordered. */
export async function testResting(
  deps: RecoveryDeps,
  channel: Channel,
): Promise<UpstreamFailure | null> {
  const failure = await testReach(deps, channel);
  const text = Object.keys(channel.models).find((id) => findModel(id)?.family === "text");
  if (failure !== null || text === undefined) return failure;
  const prober = createProber(deps.providers.chat, channel, channel.models[text] ?? text);
  const cap = onlyCapOf(channel) ?? "max_tokens";
  const answer = await prober.plain(cap, TEST_TOKENS, short);
  // What refuses the request itself is there, and takes others.
  if (answer.failure !== null)
    return answer.failure.code === "invalid_value" ? null : answer.failure;
  if (answer.end.usage !== null) deps.chooser.reportUsage(channel, true);
  return null;
}

/** Tests what rests and is due. A test that is broken off says nothing. */
export async function testDue(
  deps: RecoveryDeps,
  seenAt: Map<string, number>,
  now: number,
  stopped?: AbortSignal,
) {
  const { pool, chooser, seconds } = deps;
  const interval = seconds();
  const keys = interval === 0 ? [] : chooser.resting();
  for (const key of seenAt.keys()) if (!keys.includes(key)) seenAt.delete(key);
  for (const key of keys) {
    const since = seenAt.get(key) ?? now;
    seenAt.set(key, since);
    const isDue = chooser.restOf(key) <= ENDS_SOON_MS || now - since >= interval * 1000;
    const parts = keyParts(key);
    const channel = isDue ? testedChannel(deps, parts) : undefined;
    if (channel === undefined) continue;
    const subject = [parts.channelId, parts.credential];
    if ((await pool.query(claim, [...subject, interval])).rowCount === 0) continue;
    const failure = await testResting(deps, channel);
    if (stopped?.aborted) return;
    if (failure === null) chooser.report(channel, null);
    else chooser.prolong(key);
    await pool.query(note, [...subject, failure === null]);
  }
}

export function startRecovery(deps: RecoveryDeps, onProblem: (error: unknown) => void): Running {
  const seenAt = new Map<string, number>();
  return startRounds({
    turn: async (stopped) => {
      await testDue(deps, seenAt, performance.now(), stopped);
      return LOOK_MS;
    },
    afterFailureMs: LOOK_MS,
    onProblem,
  });
}
