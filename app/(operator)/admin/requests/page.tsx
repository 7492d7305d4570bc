import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { RequestsView } from "@/components/operator/requests-view";

export const generateMetadata = operatorTitle("requests");

export default async function OperatorRequestsPage() {
  await requireOperator();
  return <RequestsView />;
}
