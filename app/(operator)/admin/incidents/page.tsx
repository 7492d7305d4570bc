import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { IncidentsView } from "@/components/operator/incidents/incidents-view";

export const generateMetadata = operatorTitle("incidents");

export default async function OperatorIncidentsPage() {
  await requireOperator();
  return <IncidentsView />;
}
