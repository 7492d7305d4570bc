/**
 * Sends the corpus to a running product and records the answers, with everything replaced that
 * differs from run to run.
 */

import { pause } from "@/lib/timing/pause";
import type { Caller, CorpusRequest } from "./corpus-request";

export interface Recorded {
  readonly name: string;
  readonly request: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The headers with which each caller sends its requests. */
export type Callers = Readonly<Record<Caller, Readonly<Record<string, string>>>>;

const passingHeaders = new Set([
  "connection",
  "content-length",
  "date",
  "etag",
  "keep-alive",
  "transfer-encoding",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
]);

const levels: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/(localhost|127\.0\.0\.1):\d+/g, "http://host"],
  [
    /\b(acct|user|key|ch|req|vch|vb|pkg|pay|inv|node|media|ntc|inc)_[0-9a-hjkmnp-tv-z]{26}/g,
    "$1_x",
  ],
  [/\bcgt-[0-9a-hjkmnp-tv-z]{26}/g, "cgt-x"],
  [/\bchatcmpl-[0-9a-f]{32}/g, "chatcmpl-x"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "uuid"],
  [/sk-rly-[0-9A-Za-z…]+/g, "sk-rly-x"],
  [/whsec_[0-9A-Za-z+/=]+/g, "whsec_x"],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z?/g, "moment"],
  [/\b20\d{2}-\d{2}-\d{2}\b/g, "day"],
  [/(expires|signature)=[0-9A-Za-z_-]+/g, "$1=x"],
  [/"(created|created_at|updated_at|seed|durationMs|firstByteMs|uptimeSeconds)":\d+/g, '"$1":0'],
  [/"(polls|startedAt|rssBytes)":\d+/g, '"$1":0'],
  [/"seconds":\{[^}]*\}/g, '"seconds":{}'],
  [/[0-9a-f]{40,64}/g, "hex"],
  [/corpus-[0-9a-z]+@example\.com/g, "mail"],
];

const level = (text: string) =>
  levels.reduce((rest, [pattern, put]) => rest.replace(pattern, put), text);

function filled(path: string, remembered: ReadonlyMap<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => remembered.get(name) ?? "");
}

async function ask(
  url: string,
  request: CorpusRequest,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const isWrite = request.body !== undefined;
  const response = await fetch(`${url}${path}`, {
    method: request.method,
    redirect: "manual",
    headers: {
      ...(isWrite ? { "content-type": "application/json", origin: url } : {}),
      ...headers,
      ...request.headers,
    },
    ...(isWrite
      ? { body: typeof request.body === "string" ? request.body : JSON.stringify(request.body) }
      : {}),
  });
  return { response, text: await response.text() };
}

/** Sends `requests` one after the other to the product at `url`. */
export async function playCorpus(
  url: string,
  callers: Callers,
  requests: readonly CorpusRequest[],
): Promise<Recorded[]> {
  const remembered = new Map<string, string>();
  const recorded: Recorded[] = [];
  for (const request of requests) {
    const path = filled(request.path, remembered);
    const until = performance.now() + 60_000;
    let asked = await ask(url, request, path, callers[request.caller ?? "key"]);
    while (request.until && !request.until.test(asked.text) && performance.now() < until) {
      await pause(250);
      asked = await ask(url, request, path, callers[request.caller ?? "key"]);
    }
    const { response, text } = asked;
    for (const [name, pattern] of Object.entries(request.remember ?? {}))
      remembered.set(name, pattern.exec(text)?.[1] ?? "");
    const headers = [...response.headers]
      .filter(([name]) => !passingHeaders.has(name))
      .map(([name, value]) => [name, level(value)]);
    recorded.push({
      name: request.name,
      request: `${request.method} ${request.path}`,
      status: response.status,
      headers: Object.fromEntries(headers) as Record<string, string>,
      body: level(text),
    });
  }
  return recorded;
}
