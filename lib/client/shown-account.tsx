"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { may, type Permission } from "../contract/member-roles";
import type { MemberRole } from "../contract/states";
import { nameShownAccount } from "./call";

const Role = createContext<MemberRole>("owner");

/** The account that the page was rendered for, and its reader's role there. */
export function ShownAccount({
  id,
  role,
  children,
}: {
  id: string;
  role: MemberRole;
  children: ReactNode;
}) {
  // Before the first call of any part of the page.
  useState(() => nameShownAccount(id));
  return <Role.Provider value={role}>{children}</Role.Provider>;
}

export const useRole = (): MemberRole => useContext(Role);

/** Whether the reader's role includes this. The server decides again. */
export const useMay = (permission: Permission): boolean => may(useRole(), permission);
