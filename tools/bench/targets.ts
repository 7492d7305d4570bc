/** What is loaded: the bare proxy, the product, and another gateway if one is named. */
import { execFileSync } from "node:child_process";
import { isIP } from "node:net";
import { processTree } from "@/testing/stage/processes";
import { requestBytes, requestsOf } from "./chat-request";
import type { Address } from "./load";
import type { Kind, PeerOptions } from "./options";
import { bindToFirstCore, type Stage } from "./stage";

export interface Target {
  readonly name: "proxy" | "product" | "other";
  readonly address: Address;
  requests(kind: Kind): readonly [Buffer, ...Buffer[]];
  /** Its processes; empty if they are not known. */
  pids(): number[];
}

function ownTarget(name: "proxy" | "product", stage: Stage): Target {
  const { port, pids } = stage[name];
  return {
    name,
    address: { port },
    requests: (kind) => requestsOf(port, stage.product.apiKeys, kind),
    pids,
  };
}

/** The process that listens on a port of this machine, by the kernel's own list; null if it is not seen. */
function listenerOf(port: number): number | null {
  try {
    const words = ["-Hltnp", `sport = :${port}`];
    const [, pid] = /pid=(\d+)/.exec(execFileSync("ss", words, { encoding: "utf8" })) ?? [];
    return pid === undefined ? null : Number(pid);
  } catch {
    return null;
  }
}

/** Tries one request first: a gateway that is not set up would be measured by its errors. */
export async function openPeer({ url, apiKey, model, headers }: PeerOptions): Promise<Target> {
  const isTls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (isTls ? 443 : 80);
  const path = url.pathname.replace(/\/$/, "");
  const of = (kind: Kind) =>
    requestBytes({ authority: url.host, apiKey, kind, path, model, headers });
  const given = Object.fromEntries(headers.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  const answer = await fetch(`${url.origin}${path}/chat/completions`, {
    method: "POST",
    headers: {
      ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
      "content-type": "application/json",
      ...given,
    },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello." }] }),
  });
  if (!answer.ok)
    throw new Error(
      `${url.href} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`,
    );
  await answer.arrayBuffer();
  const isHere =
    isIP(host) === 4 ? host.startsWith("127.") : host === "localhost" || host === "::1";
  const listener = isHere ? listenerOf(port) : null;
  if (listener !== null) for (const pid of processTree(listener)) bindToFirstCore(pid);
  return {
    name: "other",
    address: { host, port, isTls },
    requests: (kind) => [of(kind)],
    pids: () => (listener === null ? [] : processTree(listener)),
  };
}

export const ownTargets = (stage: Stage) =>
  [ownTarget("proxy", stage), ownTarget("product", stage)] as const;
