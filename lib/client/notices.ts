import type { NoticeLevel } from "../contract/states";
/** Which notices a browser has dismissed: a cookie, so that the server leaves them out and nothing moves. */
export interface ShownNotice {
  readonly id: string;
  readonly level: NoticeLevel;
  readonly text: string;
}

export const DISMISSED_COOKIE = "relay_dismissed";
const IDS_MAX = 20;
const YEAR_SECONDS = 31_536_000;

export const readDismissed = (cookie: string | undefined): string[] =>
  (cookie ?? "").split(".").filter((id) => /^ntc_[0-9a-z]{26}$/.test(id));

/** The cookie in which `id` is dismissed too; the oldest are forgotten. */
export function dismissedCookie(cookies: string, id: string): string {
  const present = cookies
    .split("; ")
    .find((pair) => pair.startsWith(`${DISMISSED_COOKIE}=`))
    ?.slice(DISMISSED_COOKIE.length + 1);
  const ids = [...readDismissed(present).filter((each) => each !== id), id].slice(-IDS_MAX);
  return `${DISMISSED_COOKIE}=${ids.join(".")}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
