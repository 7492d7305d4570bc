/** The services beside the product that the settings name, each asked as the product asks it. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailTransport } from "../accounts/mail";
import { s3Of } from "../media/open-media";
import { openS3Store, type S3Settings } from "../media/s3-store";
import type { Settings } from "../settings/settings";
import { isRecord } from "../values/records";
import { type Found, found, good } from "./check";

const ANSWER_MS = 8000;

async function checkStore(s3: S3Settings): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "relay-doctor-"));
  const store = await openS3Store(s3, folder, ANSWER_MS / 4);
  const name = `doctor-${randomUUID()}`;
  const text = Buffer.from(name);
  async function* bytes() {
    yield text;
  }
  try {
    await store.write(name, bytes());
    const parts: Uint8Array[] = [];
    for await (const part of await store.read(name, 0, text.length)) parts.push(part);
    if (!Buffer.concat(parts).equals(text)) throw new Error("another file came back");
    await store.remove(name);
    return good("S3", `a file was written to ${s3.bucket}, read and removed`);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkMail(url: string): Promise<Found> {
  const transport = await mailTransport(url, ANSWER_MS);
  try {
    await transport.verify();
    return good("SMTP", "the mail server takes the sign-in");
  } finally {
    transport.close();
  }
}

async function checkRedis(url: string): Promise<Found> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: unknown;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    const key = `relay:doctor:${randomUUID()}`;
    await redis.set(key, "1", "EX", 10);
    await redis.del(key);
    return good("Redis", "takes writes");
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

async function checkIssuer(issuer: string): Promise<Found> {
  const own = issuer.replace(/(?<!\/)\/+$/, "");
  const answer = await fetch(`${own}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (answer.status !== 200)
    throw new Error(`the issuer's configuration answered ${answer.status}`);
  const told: unknown = await answer.json();
  const name = isRecord(told) ? told.issuer : undefined;
  if (typeof name !== "string" || name.replace(/\/$/, "") !== own)
    throw new Error(`the issuer calls itself ${JSON.stringify(name)}, and OIDC_ISSUER is ${own}`);
  return good("OIDC", "the issuer's configuration is there");
}

async function checkStripe(base: string, key: string): Promise<Found> {
  const answer = await fetch(`${base}/v1/balance`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (answer.status === 401) throw new Error("STRIPE_SECRET_KEY is refused");
  // A restricted key may not read the balance.
  if (answer.status !== 200 && answer.status !== 403)
    throw new Error(`Stripe answered ${answer.status}`);
  await answer.text();
  return good("Stripe", "takes the key");
}

async function checkCollector(endpoint: string): Promise<Found> {
  const place = new URL(`${endpoint.replace(/\/$/, "")}/v1/traces`);
  const user = [place.username, place.password].map(decodeURIComponent).join(":");
  place.username = place.password = "";
  const basic = { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  const answer = await fetch(place, {
    method: "POST",
    headers: { "content-type": "application/json", ...(user === ":" ? {} : basic) },
    body: '{"resourceSpans":[]}',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (answer.status >= 500 || answer.status === 404)
    throw new Error(`the collector answered ${answer.status}`);
  await answer.text();
  return good("traces", "the collector answers");
}

/** Of those that are set, all at once. */
export async function checkNeighbours(settings: Settings): Promise<Found[]> {
  const { SMTP_URL, REDIS_URL, OIDC_ISSUER, STRIPE_SECRET_KEY } = settings;
  const { STRIPE_API_BASE, OTEL_EXPORTER_OTLP_ENDPOINT: collector } = settings;
  const s3 = s3Of(settings);
  const asked = await Promise.all([
    s3 && found("S3", () => checkStore(s3)),
    REDIS_URL && found("Redis", () => checkRedis(REDIS_URL)),
    SMTP_URL && found("SMTP", () => checkMail(SMTP_URL)),
    OIDC_ISSUER && found("OIDC", () => checkIssuer(OIDC_ISSUER)),
    STRIPE_SECRET_KEY && found("Stripe", () => checkStripe(STRIPE_API_BASE, STRIPE_SECRET_KEY)),
    collector && found("traces", () => checkCollector(collector)),
  ]);
  return asked.flatMap((each) => each || []);
}
