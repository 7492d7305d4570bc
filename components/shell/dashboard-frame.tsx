import { QueryProvider } from "@/lib/client/query-provider";
import { DashboardShell, type DashboardShellProps } from "./dashboard-shell";

export function DashboardFrame(shell: DashboardShellProps) {
  return (
    <QueryProvider>
      <DashboardShell {...shell} />
    </QueryProvider>
  );
}
