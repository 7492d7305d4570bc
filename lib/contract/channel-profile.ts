/**
 * What a test has found out about a channel's upstream, and what follows for its text. This file
 * imports nothing, since the browser imports it.
 */

export const profileParts = [
  "plainUsage",
  "streamUsage",
  "maxTokens",
  "maxCompletionTokens",
  "tools",
  "images",
  "modelList",
] as const;
export type ProfilePart = (typeof profileParts)[number];

/**
 * What of a chat request an upstream may be unable to read: a role, a form of a message, or a field.
 * Such a request is sent in a plainer form, or without the field. These are said in another way.
 */
export const readForms = [
  "developer",
  "system",
  "system_later",
  "turns",
  "content_parts",
  "content_null",
  "json_schema",
  "json_object",
  "strict",
  "reasoning_content",
  "reasoning",
  "reasoning_details",
  "tool_images",
  "file_parts",
  "calls_without_tools",
  "call_ids",
  "call_signature",
  "extra_content",
  "tool_choice",
  "named_choice",
  "tool_schema",
  "thinking_enabled",
  "thinking_adaptive",
  "sampling_pair",
  "effort_word",
  "effort_with_tools",
  "plain_answers",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
] as const;
/** Fields that are left out where they are not read. */
export const readFields = [
  "parallel_tool_calls",
  "reasoning_effort",
  "store",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "moderation",
  "service_tier",
  "modalities",
  "verbosity",
  "seed",
  "temperature",
  "top_p",
  "top_k",
  "presence_penalty",
  "frequency_penalty",
  "stop",
  "logprobs",
  "top_logprobs",
  "logit_bias",
] as const;
export const readings = [...readForms, ...readFields] as const;
export type Reading = (typeof readings)[number];

/**
 * What an upstream refuses of one conversation, which says nothing of others: thinking that another
 * account's key has signed or encrypted.
 */
export type Refusable = Reading | "signed_thinking";

/** Whether it holds for other requests too. */
export const isLasting = (name: Refusable): name is Reading => name !== "signed_thinking";

/** True: it was read. False: it was refused. Absent: not known. */
export type Reads = { readonly [Name in Reading]?: boolean | undefined };

/** A part that could not be found out is absent: it is neither true nor false. */
export type ChannelProfile = { readonly [Part in ProfilePart]?: boolean | undefined } & {
  /** By catalogue identifier, since one upstream may serve models of several makers. */
  readonly reads?: Readonly<Record<string, Reads>> | undefined;
  /** The largest output cap that the upstream takes, where it refused a larger one, by model. */
  readonly caps?: Readonly<Record<string, number>> | undefined;
};

const nothingUnread: readonly Reading[] = [];

/** What the upstream is known not to read in requests for a model. */
export function unreadBy({ profile }: Profiled, model: string): readonly Reading[] {
  const known = profile?.reads?.[model];
  return known === undefined ? nothingUnread : readings.filter((name) => known[name] === false);
}

/** The largest output cap that the upstream is known to take for a model. */
export const capTakenBy = ({ profile }: Profiled, model: string): number =>
  profile?.caps?.[model] ?? Number.POSITIVE_INFINITY;

/** What an upstream refused of a request for a model, which it took without. */
export interface Refused {
  readonly unread: readonly Reading[];
  /** The cap that it took in place of a larger one; null for none. */
  readonly cap: number | null;
}

/**
 * How a channel serves streams where those of its upstream carry no usage: made from the whole
 * answer, or not at all.
 */
export const streamSettings = ["from_answer", "none"] as const;
export type StreamSetting = (typeof streamSettings)[number];

/** Why a channel serves no text: no answer could be billed, or none could be bounded. */
export const channelRefusals = ["no_usage", "no_cap"] as const;
export type ChannelRefusal = (typeof channelRefusals)[number];

/** What of a channel decides which text it serves. */
export interface Profiled {
  readonly profile?: ChannelProfile | null;
  /** Absent: from the answer. */
  readonly streams?: StreamSetting;
}

/** Null for a channel that serves text, or that was not tested. */
export function refusalOf({ profile }: Profiled): ChannelRefusal | null {
  if (profile?.plainUsage === false && profile.streamUsage === false) return "no_usage";
  if (profile?.maxTokens === false && profile.maxCompletionTokens === false) return "no_cap";
  return null;
}

/** True when the upstream is asked for a whole answer, from which the client's stream is made. */
export const streamsFromAnswer = ({ profile, streams }: Profiled): boolean =>
  profile?.streamUsage === false && profile.plainUsage !== false && streams !== "none";

/** True when the channel's answers in this form can be billed. */
export function servesForm(channel: Profiled, form: "plain" | "stream"): boolean {
  const { profile } = channel;
  if (!profile) return true;
  if (refusalOf(channel) !== null) return false;
  return form === "plain"
    ? profile.plainUsage !== false
    : profile.streamUsage !== false || streamsFromAnswer(channel);
}

/** The only output cap that the upstream may obey; null when either will do. */
export function onlyCapOf({ profile }: Profiled): "max_tokens" | "max_completion_tokens" | null {
  if (profile?.maxTokens === false) return "max_completion_tokens";
  return profile?.maxCompletionTokens === false ? "max_tokens" : null;
}
