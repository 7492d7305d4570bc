import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { AuditView } from "@/components/operator/audit-view";

export const generateMetadata = operatorTitle("audit");

export default async function OperatorAuditPage() {
  await requireOperator();
  return <AuditView />;
}
