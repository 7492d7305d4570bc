/** Bodies as they are received: in parts of any size. */
import { expect } from "vitest";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import type { Incoming } from "@/lib/http/exchange";
import { type ReceivedRawBody, receiveBody } from "@/lib/http/raw-body";
import { createBodyMemory } from "@/lib/limits/body-memory";

export const incomingOf = (receive: Incoming["receive"]): Incoming => ({
  method: "POST",
  path: "",
  query: "",
  header: () => undefined,
  receive,
  onGone: () => {},
});

export async function receive(
  bytes: Buffer,
  partBytes: number,
  row: EndpointRow = endpoints.createImage,
  memory = createBodyMemory(),
) {
  const incoming = incomingOf(async (_limit, take) => {
    for (let at = 0; at < bytes.length; at += partBytes)
      await take(bytes.subarray(at, at + partBytes));
  });
  return receiveBody(row, incoming, memory, "acct");
}

/** The body as it would be sent upstream. */
export async function rewritten({ value, rawBody: sent }: ReceivedRawBody): Promise<string> {
  const text = JSON.stringify(value);
  if (!sent.images) return text;
  const { byteLength, pieces } = sent.images.spliceInto(text);
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  expect(Buffer.concat(parts).length).toBe(byteLength);
  return Buffer.concat(parts).toString();
}

/** `bytes` bytes as base64, with `pad` characters of padding. */
export const base64 = (bytes: number, pad = 0) =>
  Buffer.alloc(bytes - pad, "a fox in snow; ").toString("base64");
