import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { GroupsView } from "@/components/operator/groups/groups-view";

export const generateMetadata = operatorTitle("groups");

export default async function OperatorGroupsPage() {
  await requireOperator();
  return <GroupsView />;
}
