/** What refusals of real servers are to each client. */
import { expect } from "vitest";
import { failures } from "@/lib/failures/failure-table";
import { isRecord } from "@/lib/values/records";
import { sendJson } from "../upstream/test-upstream";
import { knownRefusals } from "./refusals/known-refusals";
import type { KnownRefusal } from "./refusals/refusal";
import type { Situation } from "./situation";

const rights: Readonly<Partial<Record<KnownRefusal["code"], string>>> = {
  context_length_exceeded:
    '`context_length_exceeded`; "prompt is too long" in Messages, `response.failed` in a stream of Responses',
  upstream_failed: "`upstream_failed`: another channel is asked, or the client tries again",
  no_channel_available: "`no_channel_available`: the operator's fault, not the client's",
};

/** What a refusal is to a client, whose library need not show the code of an error in a stream. */
function readsOf(code: KnownRefusal["code"]): Situation["reads"] {
  const error = { status: failures[code].status, code };
  if (code !== "context_length_exceeded") return { error };
  return {
    chat: { error: { ...error, message: expect.stringContaining("context window") } },
    messages: { error: { ...error, message: expect.stringContaining("prompt is too long") } },
    responses: { end: "error" },
  };
}

/** All clients meet each code once, and the others of its kind those that send what they are told. */
const isFirst = ({ code }: KnownRefusal, index: number) =>
  knownRefusals.findIndex((each) => each.code === code) === index;

function situationOf(row: KnownRefusal, index: number): Situation {
  const { maker, thread, status, body, code } = row;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answers = {
    plain: (response) => sendJson(response, text, status),
    stream: (response) => sendJson(response, text, status),
  } satisfies Situation["upstream"]["openai"];
  const isMessages = isRecord(body) && body.type === "error";
  return {
    sent: `${status}, \`${code}\` in the form of ${maker}`,
    thread,
    got: "its maker's words, or `invalid_value`",
    right: rights[code] ?? `\`${code}\``,
    upstream: isMessages ? { anthropic: answers } : { openai: answers },
    reads: readsOf(code),
    ...(isFirst(row, index) ? {} : { asks: {} }),
    ends: "free",
  };
}

export const refused: readonly Situation[] = knownRefusals.map(situationOf);
