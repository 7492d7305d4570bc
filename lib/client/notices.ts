import type { NoticeLevel } from "../contract/states";
/**
 * Dismissed notices are kept in a cookie, so that the server can leave them out and the layout does
 * not shift.
 */
export interface ShownNotice {
  readonly id: string;
  readonly level: NoticeLevel;
  readonly text: string;
}

export const DISMISSED_COOKIE = "relay_dismissed";
/** Holds the account whose low-balance notice is dismissed, for a day. */
export const LATER_COOKIE = "relay_low_later";
const IDS_MAX = 20;
const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

export const readDismissed = (cookie: string | undefined): string[] =>
  (cookie ?? "").split(".").filter((id) => /^ntc_[0-9a-z]{26}$/.test(id));

/** The cookie with `id` added. The oldest ids are dropped. */
export function dismissedCookie(cookies: string, id: string): string {
  const present = cookies
    .split("; ")
    .find((pair) => pair.startsWith(`${DISMISSED_COOKIE}=`))
    ?.slice(DISMISSED_COOKIE.length + 1);
  const ids = [...readDismissed(present).filter((each) => each !== id), id].slice(-IDS_MAX);
  return `${DISMISSED_COOKIE}=${ids.join(".")}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

export const laterCookie = (accountId: string): string =>
  `${LATER_COOKIE}=${accountId}; path=/; max-age=${DAY_SECONDS}; samesite=lax`;
