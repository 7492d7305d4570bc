import { ofChoices } from "./choices";
import { furtherMisread } from "./further-misread";
import { furtherTooLong } from "./further-too-long";
import { furtherUnread } from "./further-unread";
import { laterWords } from "./later-words";
import { misread } from "./misread";
import { ofAgents } from "./of-agents";
import { ofLimits } from "./of-limits";
import { ofThinking } from "./of-thinking";
import type { KnownRefusal } from "./refusal";
import { tooLong } from "./too-long";
import { unread } from "./unread";
import { unsuited } from "./unsuited";

export const knownRefusals: readonly KnownRefusal[] = [
  ...tooLong,
  ...unsuited,
  ...misread,
  ...unread,
  ...furtherTooLong,
  ...furtherMisread,
  ...furtherUnread,
  ...ofChoices,
  ...ofLimits,
  ...ofThinking,
  ...ofAgents,
  ...laterWords,
];
