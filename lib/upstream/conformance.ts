/** Tries a real upstream of text in situations that agents bring about, and says what works. */
import { jsonIn } from "../values/json-in";
import type { NoteTestCall } from "./attempt";
import { isRefused } from "./find-cap";
import type { Observed } from "./observed";
import { createProber, type Prober } from "./probe";
import { type CapName, calling, counting, fields, seeing, short, turn } from "./probe-requests";
import type { Channel, ChatProvider, JsonObject, UpstreamFailure } from "./provider";

const SHORT_TOKENS = 64;
/** A model may think before it calls a tool. */
const LONG_TOKENS = 512;
const TEST_MS_MAX = 600_000;
/** More than any model writes. */
const ENDLESS_TOKENS = 100_000_000;
/** More than most windows hold: only asked for where it may cost. */
const LONG_WORDS = 1_500_000;

export interface Verdict {
  readonly situation: string;
  /** `refused`: the upstream said that it does not do this. */
  readonly result: "works" | "differs" | "refused" | "failed" | "not tried";
  readonly detail: string;
}

interface Situation {
  readonly name: string;
  readonly members: JsonObject;
  readonly tokens?: number;
  readonly form?: "stream";
  /** What is wrong with the answer; null when it is right. */
  readonly wrong: (observed: Observed) => string | null;
}

/** A request that no upstream should take, and what its refusal must be understood as. */
interface Refusal {
  readonly name: string;
  readonly members: JsonObject;
  readonly code: UpstreamFailure["code"];
  readonly tokens?: number;
  readonly isLong?: true;
}

const said = ({ text, end }: Observed): string | null =>
  text === "" ? "no text" : end.usage === null ? "no usage" : null;
const called =
  (least: number) =>
  ({ calls }: Observed): string | null =>
    calls.length >= least ? null : `${calls.length} calls`;
const takes = ({ text, thinks, hasCalls }: Observed) =>
  text === "" && !thinks && !hasCalls ? "nothing said" : null;

const isJson = ({ text }: Observed): string | null =>
  jsonIn(text) === undefined ? "not JSON" : null;

const user = (content: unknown) => ({ role: "user", content });
const freely = { ...calling, tool_choice: "auto" };
const twice = { ...freely, messages: [user("Call report twice at once: with A, and with B.")] };
const instructed = (...roles: string[]) => ({
  messages: [...roles.map((role) => ({ role, content: "Answer with OK." })), user("Go on.")],
});

const situations: readonly Situation[] = [
  { name: "plain", members: short, wrong: said },
  { name: "stream", members: short, form: "stream", wrong: said },
  {
    name: "cap",
    members: counting,
    tokens: 16,
    wrong: ({ runsOn, finishReason }) =>
      runsOn ? "ran on" : finishReason === "length" ? null : `ended by ${finishReason}`,
  },
  { name: "tool", members: calling, wrong: called(1) },
  { name: "tool, stream", members: calling, form: "stream", wrong: called(1) },
  { name: "tool, chosen freely", members: freely, wrong: called(1) },
  { name: "parallel tools", members: { ...twice, parallel_tool_calls: true }, wrong: called(2) },
  { name: "second turn", members: turn, wrong: takes },
  { name: "second turn, stream", members: turn, form: "stream", wrong: takes },
  { name: "role developer", members: instructed("developer"), wrong: said },
  { name: "several instructions", members: instructed("system", "system"), wrong: said },
  {
    name: "json schema",
    members: { messages: fields.messages, response_format: fields.response_format },
    wrong: isJson,
  },
  {
    name: "json",
    members: { messages: fields.messages, response_format: { type: "json_object" } },
    wrong: isJson,
  },
  {
    name: "picture",
    members: seeing,
    wrong: ({ text }) => (/\bred\b/i.test(text) ? null : "another colour"),
  },
  {
    name: "thinking",
    members: { ...short, reasoning_effort: "low" },
    wrong: ({ thinks }) => (thinks ? null : "no thinking shown"),
  },
  { name: "labels", members: { ...short, store: false, metadata: { a: "b" } }, wrong: said },
];

const badPicture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const [tool] = calling.tools;
const refusals: readonly Refusal[] = [
  {
    name: "bad picture",
    members: { messages: [user([badPicture])] },
    code: "invalid_image",
  },
  {
    name: "bad schema of a tool",
    members: {
      ...short,
      tools: [{ ...tool, function: { ...tool?.function, parameters: { type: "nothing" } } }],
    },
    code: "invalid_tool_schema",
  },
  {
    name: "call without its result",
    members: { messages: [...turn.messages.slice(0, -1), user("Go on.")], tools: calling.tools },
    code: "invalid_history",
  },
  {
    name: "cap too large",
    members: short,
    tokens: ENDLESS_TOKENS,
    code: "max_tokens_too_large",
  },
  {
    name: "conversation too long",
    members: {},
    code: "context_length_exceeded",
    isLong: true,
  },
];

const told = ({ code, internal }: UpstreamFailure) => `${code}: ${internal}`;

async function trySituation(prober: Prober, cap: CapName, one: Situation): Promise<Verdict> {
  const { name: situation, members, tokens = LONG_TOKENS, form = "plain", wrong } = one;
  const observed = await prober[form](cap, tokens, members);
  if (observed.failure !== null) {
    const result = isRefused(observed) ? "refused" : "failed";
    return { situation, result, detail: told(observed.failure) };
  }
  const detail = wrong(observed);
  return { situation, result: detail === null ? "works" : "differs", detail: detail ?? "" };
}

async function tryRefusal(prober: Prober, cap: CapName, one: Refusal): Promise<Verdict> {
  const { name, members, tokens = SHORT_TOKENS, code, isLong } = one;
  const situation = `refusal: ${name}`;
  const long = isLong ? { messages: [user("word ".repeat(LONG_WORDS))] } : members;
  const { failure } = await prober.plain(cap, tokens, long);
  if (failure === null) return { situation, result: "differs", detail: "taken" };
  const { result, detail } =
    failure.code === code
      ? ({ result: "works", detail: "" } as const)
      : ({ result: "differs", detail: told(failure) } as const);
  return { situation, result, detail };
}

/**
 * Tries everything, one after the other. `isLong`: also a conversation of over a million tokens, which an
 * upstream with such a window would answer and bill. Never rejects.
 */
export async function tryConformance(
  chat: ChatProvider,
  channel: Channel,
  upstreamModel: string,
  { isLong, note }: { readonly isLong: boolean; readonly note: NoteTestCall },
): Promise<readonly Verdict[]> {
  const questions = situations.length + refusals.length;
  const prober = createProber(chat, channel, upstreamModel, note, { questions, ms: TEST_MS_MAX });
  const cap =
    channel.profile?.maxTokens === false
      ? ("max_completion_tokens" as const)
      : ("max_tokens" as const);
  const verdicts: Verdict[] = [];
  for (const one of situations) verdicts.push(await trySituation(prober, cap, one));
  for (const one of refusals)
    verdicts.push(
      one.isLong && !isLong
        ? { situation: `refusal: ${one.name}`, result: "not tried", detail: "may cost: --long" }
        : await tryRefusal(prober, cap, one),
    );
  return verdicts;
}
