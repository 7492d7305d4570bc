import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorPricesView } from "@/components/operator/prices/prices-view";

export const generateMetadata = operatorTitle("prices");

export default async function OperatorPricesPage() {
  await requireOperator();
  return <OperatorPricesView />;
}
