import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { ModelsView } from "@/components/operator/models/models-view";

export const generateMetadata = operatorTitle("models");

export default async function OperatorModelsPage() {
  await requireOperator();
  return <ModelsView />;
}
