import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorTasksView } from "@/components/operator/tasks-view";

export const generateMetadata = operatorTitle("tasks");

export default async function OperatorTasksPage() {
  await requireOperator();
  return <OperatorTasksView />;
}
