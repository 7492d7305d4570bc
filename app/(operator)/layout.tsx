import type { ReactNode } from "react";
import { requireOperator } from "@/app/_server/page-user";
import { sentModels } from "@/app/_server/sent-models";
import { ProofDialog } from "@/components/forms/proof-dialog";
import { CatalogueOf } from "@/components/shell/catalogue-of";
import { ClientMessages } from "@/components/shell/client-messages";
import { DashboardShell } from "@/components/shell/dashboard-shell";
import { Toasts } from "@/components/ui/toast";
import { QueryProvider } from "@/lib/client/query-provider";

const texts = [
  "ui",
  "shell",
  "palette",
  "operator",
  "proof",
  "topup",
  "families",
  "usage",
  "charts",
  "rates",
  "reasons",
  "settlement",
  "failures",
  "entries",
  "keys",
  "plan",
] as const;

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const user = await requireOperator();
  return (
    <CatalogueOf models={sentModels(true)}>
      <ClientMessages of={texts}>
        <QueryProvider>
          <DashboardShell email={user.email} name={user.name} isOperator area="operator">
            {children}
          </DashboardShell>
          <ProofDialog hasPassword={user.hasPassword} hasSecondFactor={user.hasSecondFactor} />
          <Toasts />
        </QueryProvider>
      </ClientMessages>
    </CatalogueOf>
  );
}
