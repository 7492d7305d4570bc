import type { ReactNode } from "react";
import { lowBalance } from "@/app/_server/account-state";
import { shownNotices } from "@/app/_server/notices";
import { requirePageUser } from "@/app/_server/page-user";
import { modelsHiddenFrom } from "@/app/_server/prices";
import { HiddenModels } from "@/components/catalog/hidden-models";
import { ClientMessages } from "@/components/shell/client-messages";
import { DashboardShell } from "@/components/shell/dashboard-shell";
import { Notices } from "@/components/shell/notices";
import { Toasts } from "@/components/ui/toast";
import { QueryProvider } from "@/lib/client/query-provider";

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
  "keys",
  "managementKeys",
  "entries",
  "settlement",
  "voucher",
  "topup",
  "families",
  "settings",
  "notifications",
  "proof",
  "secondFactor",
  "auth",
  "failures",
] as const;

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await requirePageUser();
  return (
    <ClientMessages of={texts}>
      <QueryProvider>
        <DashboardShell
          email={user.email}
          name={user.name}
          isOperator={user.isOperator}
          lowBalance={await lowBalance(user.accountId)}
        >
          <Notices notices={await shownNotices()} className="mb-5" />
          <HiddenModels models={await modelsHiddenFrom(user.accountId)}>{children}</HiddenModels>
        </DashboardShell>
        <Toasts />
      </QueryProvider>
    </ClientMessages>
  );
}
