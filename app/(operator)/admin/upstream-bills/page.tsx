import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { BillsView } from "@/components/operator/bills/bills-view";

export const generateMetadata = operatorTitle("bills");

export default async function UpstreamBillsPage() {
  await requireOperator();
  return <BillsView />;
}
