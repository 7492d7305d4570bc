import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { PackagesView } from "@/components/operator/packages-view";

export const generateMetadata = operatorTitle("packages");

export default async function OperatorPackagesPage() {
  await requireOperator();
  return <PackagesView />;
}
