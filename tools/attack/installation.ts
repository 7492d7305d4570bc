/**
 * The target of the attacks: the real product, started with accounts of its own, or one that is
 * already running.
 */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { startTestStripe } from "@/testing/topup/stripe";
import { signIn } from "../../testing/product/sign-in";
import {
  auditFaults,
  makeAccount,
  makeKey,
  PASSWORD,
  type Relay,
} from "../../testing/stage/command-line";
import { freePort } from "../../testing/stage/listen";
import { openStage } from "../../testing/stage/stage";
import type { Means } from "./attack";
import { openShop } from "./shop";
import type { Target } from "./wire";

const HEAP_MEBIBYTES = 1024;
const POINTS = 100_000_000;
/**
 * Several sessions, because limits are per session: a fuzz should not end when the first one is
 * limited.
 */
const SESSIONS = { full: 4, brief: 2 };
const COMMAND_TRIES = 3;

/**
 * The victim and the attacker use different network addresses, so that limits on one do not affect
 * the other.
 */
const ATTACKER_ADDRESS = "127.0.0.66";
const VICTIM_ADDRESS = "127.0.0.99";

export interface Victim {
  readonly target: Target;
  readonly origin: string;
  readonly apiKey: string;
  readonly session: string | null;
}

export interface Installation {
  readonly means: Omit<Means, "isBrief" | "processes">;
  readonly victim: Victim;
  /** The server's process; null when it was not started here. */
  readonly server: ChildProcess | null;
  /** The last lines that the server logged. */
  log(): string;
  /** What the product's audit of the ledger finds, where the server was started here. */
  audit(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const isOnLinux = process.platform === "linux";

function targetOf(url: string, localAddress: string): Target {
  const { hostname, port, protocol, host } = new URL(url);
  if (protocol !== "http:")
    throw new Error(
      "--url must start with http://: the attack speaks plain HTTP, as the proxy in front does",
    );
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+)$/.test(hostname);
  const target = {
    host: isHere ? "127.0.0.1" : hostname,
    port: Number(port || 80),
    authority: host,
  };
  return isHere && isOnLinux ? { ...target, localAddress } : target;
}

/** An instance that is already running, with the credentials that its operator provided. */
export function foreignInstallation(
  url: string,
  given: { key: string; victimKey?: string | undefined; session?: string | undefined },
): Installation {
  const means = {
    target: targetOf(url, ATTACKER_ADDRESS),
    apiKey: given.key,
    origin: new URL(url).origin,
    sessions: given.session === undefined ? [] : [given.session],
    operatorSession: null,
    email: null,
    password: null,
    resolverPort: null,
    shop: null,
  };
  const victim = {
    target: targetOf(url, VICTIM_ADDRESS),
    origin: means.origin,
    apiKey: given.victimKey ?? given.key,
    session: given.session ?? null,
  };
  return {
    means,
    victim,
    server: null,
    log: () => "",
    audit: async () => [],
    stop: async () => {},
  };
}

/** On a busy machine a command's transaction may time out, so it is repeated. */
const patiently =
  (relay: Relay): Relay =>
  async (...words) => {
    for (let tries = 1; ; tries++)
      try {
        return await relay(...words);
      } catch (error) {
        if (tries === COMMAND_TRIES) throw error;
      }
  };

/**
 * Starts the built product on a data folder of its own with a heap of 1 GiB, and creates its
 * accounts. `root`: the project's folder.
 */
export async function startInstallation(
  root: string,
  size: "full" | "brief",
  { isProfiled = false, processes = 1 } = {},
): Promise<Installation> {
  // With several, this process could only ask the first one, which serves nothing.
  const isProbed = processes === 1;
  const loaded = [...(isProbed ? ["loop-probe.mjs"] : []), "own-resolver.mjs"];
  const imports = loaded.flatMap((file) => ["--import", join(root, "tools/attack", file)]);
  const flags = [`--max-old-space-size=${HEAP_MEBIBYTES}`, "--expose-gc", ...imports];
  const resolverPort = await freePort();
  const payments = await startTestStripe();
  const { servers, relay, close } = await openStage({
    settings: {
      RELAY_SANDBOX: "on",
      RELAY_ATTACK_PROFILE: isProfiled ? "on" : "off",
      RELAY_PROCESSES: String(processes),
      RELAY_ATTACK_RESOLVER_PORT: String(resolverPort),
      STRIPE_SECRET_KEY: payments.stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: payments.stripe.webhookSecret,
      STRIPE_API_BASE: payments.stripe.apiBase,
    },
    servers: { attacked: { flags, hasChannel: isProbed } },
  });
  const [server] = servers;
  if (server === undefined) throw new Error("there is no server");
  const stop = async () => {
    if (!server.hasEnded()) await server.stop();
    await close();
    await payments.close();
  };
  try {
    await server.start();
    const people = await makePeople(patiently(relay), server.address, SESSIONS[size]);
    await relay("setting", "set", "--name", "status_page", "--value", "everyone");
    const { process, output } = server.product;
    const archivist = "archivist@example.com";
    await makeAccount(relay, archivist, 0);
    const referrer = people.means.email ?? "";
    const shop = await openShop(server.dataFolder, patiently(relay), { archivist, referrer });
    const means = {
      ...people.means,
      resolverPort,
      shop: { ...shop, archivist: await signIn(server.address, archivist, PASSWORD) },
    };
    const audit = async () => [
      ...(await auditFaults(relay).catch((error: unknown) => [String(error)])),
      ...(await shop.creditFaults()),
    ];
    return { ...people, means, server: process, log: () => output.text, audit, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A session that has given the password once more, as operators' changes require. */
async function signInWithProof(url: string, email: string): Promise<string> {
  const cookie = await signIn(url, email, PASSWORD);
  const proof = await fetch(`${url}/api/proof`, {
    method: "POST",
    headers: { cookie, origin: url, "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD }),
  });
  if (!proof.ok) throw new Error(`${email} could not prove the password: ${await proof.text()}`);
  return cookie;
}

async function makePeople(
  relay: Relay,
  url: string,
  sessionCount: number,
): Promise<{
  means: Omit<Means, "isBrief" | "processes" | "resolverPort" | "shop">;
  victim: Victim;
}> {
  const attackers = Array.from(
    { length: sessionCount },
    (_, index) => `attacker-${index}@example.com`,
  );
  const [email = ""] = attackers;
  const [victim, operator] = ["victim@example.com", "operator@example.com"];
  for (const each of [...attackers, victim]) await makeAccount(relay, each, POINTS);
  await makeAccount(relay, operator, POINTS, "--operator");
  const sessions: string[] = [];
  for (const each of attackers) sessions.push(await signIn(url, each, PASSWORD));
  return {
    means: {
      target: targetOf(url, ATTACKER_ADDRESS),
      apiKey: (await makeKey(relay, email)).secret,
      origin: url,
      sessions,
      operatorSession: await signInWithProof(url, operator),
      email,
      password: PASSWORD,
    },
    victim: {
      target: targetOf(url, VICTIM_ADDRESS),
      origin: url,
      apiKey: (await makeKey(relay, victim)).secret,
      session: await signIn(url, victim, PASSWORD),
    },
  };
}
