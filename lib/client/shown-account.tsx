"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { endsWithSuspension, may, type Permission } from "../contract/member-roles";
import type { MemberRole } from "../contract/states";
import { nameShownAccount } from "./shown-account-header";

interface Shown {
  readonly role: MemberRole;
  readonly isSuspended: boolean;
  readonly note: (isSuspended: boolean) => void;
}

const Account = createContext<Shown>({ role: "owner", isSuspended: false, note: () => {} });

interface ShownAccountProps {
  id: string;
  role: MemberRole;
  /** When the page was rendered. */
  isSuspended: boolean | undefined;
  children: ReactNode;
}

/** The account that the page was rendered for, and its reader's role there. */
export function ShownAccount({ id, role, isSuspended = false, children }: ShownAccountProps) {
  // Before the first call of any part of the page.
  useState(() => nameShownAccount(id));
  const [isNow, note] = useState(isSuspended);
  const shown = useMemo(() => ({ role, isSuspended: isNow, note }), [role, isNow]);
  return <Account.Provider value={shown}>{children}</Account.Provider>;
}

/** Lets the page know what the server now says of the account's suspension. */
export function useNoteSuspension(isSuspended: boolean | undefined): void {
  const { note } = useContext(Account);
  useEffect(() => {
    if (isSuspended !== undefined) note(isSuspended);
  }, [isSuspended, note]);
}

export const useRole = (): MemberRole => useContext(Account).role;

export const useIsSuspended = (): boolean => useContext(Account).isSuspended;

/** What the reader may do now, by role, and while the account is suspended. The server decides again. */
export function usePermits(): (permission: Permission) => boolean {
  const { role, isSuspended } = useContext(Account);
  return (permission) => may(role, permission) && !(isSuspended && endsWithSuspension(permission));
}

export const useMay = (permission: Permission): boolean => usePermits()(permission);
