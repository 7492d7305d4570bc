import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorSettingsView } from "@/components/operator/settings/settings-view";

export const generateMetadata = operatorTitle("settings");

export default async function OperatorSettingsPage() {
  await requireOperator();
  return <OperatorSettingsView />;
}
