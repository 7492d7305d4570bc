import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { InvoicesView } from "@/components/operator/invoices-view";

export const generateMetadata = operatorTitle("invoices");

export default async function OperatorInvoicesPage() {
  await requireOperator();
  return <InvoicesView />;
}
