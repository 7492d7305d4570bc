/**
 * Tests what rests by small requests, so that it comes back by itself and no customer's request has to
 * try it. One process of the installation makes each test.
 */
import type pg from "pg";
import { findModel } from "../catalog/models";
import { onlyCapOf } from "../contract/channel-profile";
import { type NotificationKind, ownReasons } from "../contract/states";
import { inTransaction } from "../db/transaction";
import { type Running, startWorker } from "../timing/worker";
import type { NoteTestCall } from "../upstream/attempt";
import type { Chooser } from "../upstream/choose";
import { credentialKey, keyParts } from "../upstream/credentials";
import { createProber } from "../upstream/probe";
import { short } from "../upstream/probe-requests";
import type { Channel, CredentialFault, UpstreamFailure } from "../upstream/provider";
import type { Providers } from "../upstream/providers";

const LOOK_MS = 2000;
/** A cooldown that ends sooner is tested now: after it a customer's request would be the test. */
const ENDS_SOON_MS = 3000;
const TEST_TOKENS = 1;
/** Every how many looks a channel is found that a customer's request has brought back. */
const LOOKS_FOR_DOWN = 15;

export interface RecoveryDeps {
  readonly pool: pg.Pool;
  readonly chooser: Pick<
    Chooser,
    "cooldownOf" | "coolingDown" | "report" | "reportAttempt" | "reportUsage" | "prolong"
  >;
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
with before as (select * from channel_watch where channel_id = $1 and credential = $2 for update)
update channel_watch w set down_since = case when $3 then null else coalesce(w.down_since, now()) end
  from before b where w.channel_id = b.channel_id and w.credential = b.credential
returning b.down_since is not null as "wasDown", coalesce(b.down_since, now()) as since`;

const tell = "select notification_to_operators($1, $2, $3)";

/** What operators are told of a test that failed. */
const kindsOfFault = {
  refused: "credential_refused",
  quota: "upstream_balance",
  busy: "channel_down",
} as const satisfies Record<CredentialFault, NotificationKind>;

/** Notes how a test ended, and tells operators where that is new, in one commit. */
function noteTest(
  pool: pg.Pool,
  { id, name }: Channel,
  credential: string,
  failure: UpstreamFailure | null,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const noted = [id, credential, failure === null];
    const { rows } = await client.query<{ wasDown: boolean; since: Date }>(note, noted);
    const [before] = rows;
    if (before === undefined || before.wasDown === (failure !== null)) return;
    const kind =
      failure === null ? "channel_back" : kindsOfFault[failure.credentialFault ?? "busy"];
    const since = before.since.toISOString();
    const told = { channel: id, name, credential: credential || null, since };
    const data = failure === null ? told : { ...told, error: failure.internal.slice(0, 300) };
    await client.query(tell, [kind, `${id}/${credential}:${since}`, JSON.stringify(data)]);
  });
}

/** The channel with the credential that is to be tested; one that is not in cooldown, for the channel itself. */
function testedChannel(
  { byId, chooser }: RecoveryDeps,
  { channelId, credential }: ReturnType<typeof keyParts>,
): Channel | undefined {
  const channel = byId(channelId);
  if (channel === undefined) return undefined;
  const { choices } = channel;
  if (credential !== "") return choices?.find((each) => each.credential?.name === credential);
  const awake = choices?.find((each) => chooser.cooldownOf(credentialKey(each)) === 0);
  return awake ?? choices?.[0] ?? channel;
}

/** A list of models is free, but not every server has one, and one that has may still not answer. */
async function testReach({ providers }: RecoveryDeps, channel: Channel) {
  if (channel.profile?.modelList === false) return null;
  const failure = await providers.reach(channel);
  return failure !== null && /^status (404|405|501)\b/.test(failure.internal) ? null : failure;
}

/** Null when it works. Text costs a few tokens; images and videos are never ordered. */
async function testCoolingDown(
  deps: RecoveryDeps,
  channel: Channel,
): Promise<UpstreamFailure | null> {
  const failure = await testReach(deps, channel);
  const text = Object.keys(channel.models).find((id) => findModel(id)?.family === "text");
  if (failure !== null || text === undefined) return failure;
  const note: NoteTestCall = (call) =>
    deps.chooser.reportAttempt({ ...call, operationId: null, channel, model: text });
  const prober = createProber(deps.providers.chat, channel, channel.models[text] ?? text, note);
  const cap = onlyCapOf(channel) ?? "max_tokens";
  const answer = await prober.plain(cap, TEST_TOKENS, short);
  // What refuses the request itself is there, and takes others.
  if (answer.failure !== null)
    return ownReasons.includes(answer.failure.code) ? null : answer.failure;
  if (answer.end.usage !== null) deps.chooser.reportUsage(channel, true);
  return null;
}

/** Tests what rests and is due. A test that is broken off says nothing. */
export async function testDue(
  deps: RecoveryDeps,
  seenAt: Map<string, number>,
  now: number,
  /** What was down at its last test, and may be in cooldown here no more. */
  down: readonly string[] = [],
  stopped?: AbortSignal,
) {
  const { pool, chooser, seconds } = deps;
  const interval = seconds();
  const keys = interval === 0 ? [] : [...new Set([...chooser.coolingDown(), ...down])];
  for (const key of seenAt.keys()) if (!keys.includes(key)) seenAt.delete(key);
  for (const key of keys) {
    const since = seenAt.get(key) ?? now;
    seenAt.set(key, since);
    const isDue = chooser.cooldownOf(key) <= ENDS_SOON_MS || now - since >= interval * 1000;
    const parts = keyParts(key);
    const channel = isDue ? testedChannel(deps, parts) : undefined;
    if (channel === undefined) continue;
    const subject = [parts.channelId, parts.credential];
    if ((await pool.query(claim, [...subject, interval])).rowCount === 0) continue;
    const failure = await testCoolingDown(deps, channel);
    if (stopped?.aborted) return;
    if (failure === null || failure.credentialFault === "busy") chooser.report(channel, failure);
    else chooser.prolong(key);
    if (failure?.credentialFault !== "busy")
      await noteTest(pool, channel, parts.credential, failure);
  }
}

async function downKeys(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    "select channel_id || case credential when '' then '' else '/' || credential end as key from channel_watch where down_since is not null limit 1000",
  );
  return rows.map(({ key }) => key);
}

export function startRecovery(deps: RecoveryDeps, onProblem: (error: unknown) => void): Running {
  const seenAt = new Map<string, number>();
  let looks = 0;
  return startWorker({
    turn: async (stopped) => {
      const down = looks++ % LOOKS_FOR_DOWN === 0 ? await downKeys(deps.pool) : [];
      await testDue(deps, seenAt, performance.now(), down, stopped);
      return LOOK_MS;
    },
    afterFailureMs: LOOK_MS,
    onProblem,
  });
}
