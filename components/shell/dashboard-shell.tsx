import type { ReactNode } from "react";
import { Brand } from "@/components/ui/brand";
import { cn } from "@/components/ui/class-names";
import type { OwnAccount } from "@/lib/contract/members";
import { AccountSwitch } from "./account-switch";
import { AreaLink } from "./area-link";
import { DashboardNav } from "./dashboard-nav";
import { LowBalance, type LowBalanceNotice } from "./low-balance";
import { Offline } from "./offline";
import { PaletteButton } from "./palette-button";
import { Person } from "./person";
import { Shortcuts } from "./shortcuts";
import { SignOutButton } from "./sign-out-button";
import { SkipLink } from "./skip-link";
import { Suspended } from "./suspended";
import { Wallet } from "./wallet";

export interface DashboardShellProps {
  email: string;
  /** The name that the user chose. */
  name: string | null;
  isOperator: boolean;
  /** The user's accounts; absent on the operators' pages. */
  accounts?: readonly OwnAccount[];
  /** `operator`: the pages of the people who run the installation. */
  area?: "dashboard" | "operator";
  /** Absent on the operators' pages. */
  lowBalance?: LowBalanceNotice;
  children: ReactNode;
}

/**
 * The frame of the signed-in pages: a side bar; on a phone a line at the top and a bar at the bottom. A page
 * with `data-studio` fills what they leave of the window. One with `data-drawer` leaves room at the right.
 */
export function DashboardShell({
  email,
  name,
  isOperator,
  accounts = [],
  area = "dashboard",
  lowBalance,
  children,
}: DashboardShellProps) {
  const person = (
    <>
      <AccountSwitch accounts={accounts} />
      <Person email={email} name={name} />
    </>
  );
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[13.5rem_minmax(0,1fr)] tall:max-md:has-data-studio:flex tall:max-md:has-data-studio:h-dvh tall:max-md:has-data-studio:flex-col print:block">
      <SkipLink />
      <header className="print:hidden flex items-center justify-between gap-3 border-b px-5 py-3 md:sticky md:top-0 md:h-dvh md:overflow-y-auto md:flex-col md:items-stretch md:justify-start md:border-r md:border-b-0 md:px-3 md:py-4.5">
        <div className="md:px-2 md:pb-4">
          <Brand />
        </div>
        <PaletteButton />
        <DashboardNav area={area} person={person} />
        <span className="hidden flex-1 md:block" />
        {area === "dashboard" ? <Wallet /> : null}
        {isOperator ? <AreaLink area={area} /> : null}
        <div className="hidden md:block">
          {person}
          <SignOutButton className="w-full" />
        </div>
      </header>
      <Shortcuts />
      <Offline />
      <main
        id="content"
        tabIndex={-1}
        className={cn(
          "mx-auto w-full max-w-295 px-5 pt-6 pb-28 outline-none md:px-8.5 md:pb-12",
          "xl:has-data-drawer:mr-[max(25rem,calc(50%-36.875rem))] xl:has-data-drawer:max-w-[min(73.75rem,calc(100%-25rem))]",
          "has-data-studio:max-w-none has-data-studio:p-0 max-md:has-data-studio:pb-[calc(3.8125rem+env(safe-area-inset-bottom))]",
          "tall:has-data-studio:flex tall:has-data-studio:min-h-0 tall:has-data-studio:flex-1 tall:has-data-studio:flex-col tall:md:has-data-studio:h-dvh",
          "has-data-studio:[&>:not([data-studio])]:mx-4 has-data-studio:[&>:not([data-studio])]:mt-3 has-data-studio:[&>:not([data-studio])]:mb-3",
        )}
      >
        {area === "dashboard" ? <Suspended /> : null}
        {lowBalance ? <LowBalance {...lowBalance} /> : null}
        {children}
      </main>
    </div>
  );
}
