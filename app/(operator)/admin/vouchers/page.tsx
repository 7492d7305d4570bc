import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { VouchersView } from "@/components/operator/vouchers-view";

export const generateMetadata = operatorTitle("vouchers");

export default async function OperatorVouchersPage() {
  await requireOperator();
  return <VouchersView />;
}
