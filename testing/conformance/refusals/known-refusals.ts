import { misread } from "./misread";
import type { KnownRefusal } from "./refusal";
import { tooLong } from "./too-long";
import { unread } from "./unread";
import { unsuited } from "./unsuited";

export const knownRefusals: readonly KnownRefusal[] = [
  ...tooLong,
  ...unsuited,
  ...misread,
  ...unread,
];
