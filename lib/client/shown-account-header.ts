/**
 * The account that the page shows, with each call. It has a file of its own, because the layout of
 * the public pages names it, and visitors load no code that calls.
 */
let shownAccount: string | null = null;

/** Names the account that the page shows: the server refuses calls once the session shows another. */
export function nameShownAccount(id: string): void {
  if (typeof window !== "undefined") shownAccount = id;
}

export const shownAccountHeader = (): Record<string, string> =>
  shownAccount === null ? {} : { "x-relay-account": shownAccount };
