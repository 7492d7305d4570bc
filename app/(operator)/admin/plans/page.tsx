import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { PlansView } from "@/components/operator/plans/plans-view";

export const generateMetadata = operatorTitle("plans");

export default async function OperatorPlansPage() {
  await requireOperator();
  return <PlansView />;
}
