import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorOverviewView } from "@/components/operator/overview/overview-view";

export const generateMetadata = operatorTitle("overview");

export default async function OperatorOverviewPage() {
  await requireOperator();
  return <OperatorOverviewView />;
}
