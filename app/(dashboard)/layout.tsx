import type { ReactNode } from "react";
import { lowBalance } from "@/app/_server/account-state";
import { ownAccounts } from "@/app/_server/members";
import { shownNotices } from "@/app/_server/notices";
import { requirePageUser } from "@/app/_server/page-user";
import { modelsHiddenFrom } from "@/app/_server/prices";
import { HiddenModels } from "@/components/catalog/hidden-models";
import { OwnProof } from "@/components/forms/own-proof";
import { ClientMessages } from "@/components/shell/client-messages";
import { DashboardShell } from "@/components/shell/dashboard-shell";
import { Notices } from "@/components/shell/notices";
import { Toasts } from "@/components/ui/toast";
import { QueryProvider } from "@/lib/client/query-provider";
import { ShownAccount } from "@/lib/client/shown-account";

const texts = [
  "ui",
  "shell",
  "palette",
  "overview",
  "playground",
  "studio",
  "sandbox",
  "tasks",
  "usage",
  "charts",
  "rates",
  "reasons",
  "points",
  "plan",
  "keys",
  "managementKeys",
  "entries",
  "settlement",
  "voucher",
  "topup",
  "families",
  "settings",
  "members",
  "notifications",
  "proof",
  "secondFactor",
  "auth",
  "failures",
] as const;

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await requirePageUser();
  const [low, notices, hidden, accounts] = await Promise.all([
    lowBalance(user.accountId),
    shownNotices(),
    modelsHiddenFrom(user.accountId),
    ownAccounts(user),
  ]);
  return (
    <ClientMessages of={texts}>
      <QueryProvider>
        <ShownAccount
          key={user.accountId}
          id={user.accountId}
          role={user.role}
          isSuspended={user.isSuspended}
        >
          <DashboardShell
            accounts={accounts}
            email={user.email}
            name={user.name}
            isOperator={user.isOperator}
            lowBalance={low}
          >
            <Notices notices={notices} className="mb-5" />
            <HiddenModels models={hidden}>{children}</HiddenModels>
          </DashboardShell>
          <OwnProof hasPassword={user.hasPassword} hasSecondFactor={user.hasSecondFactor} />
        </ShownAccount>
        <Toasts />
      </QueryProvider>
    </ClientMessages>
  );
}
