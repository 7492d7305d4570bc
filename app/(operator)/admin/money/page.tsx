import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { MoneyView } from "@/components/operator/money-view";

export const generateMetadata = operatorTitle("money");

export default async function OperatorMoneyPage() {
  await requireOperator();
  return <MoneyView />;
}
