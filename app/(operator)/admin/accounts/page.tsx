import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { AccountsView } from "@/components/operator/accounts-view";

export const generateMetadata = operatorTitle("accounts");

export default async function OperatorAccountsPage() {
  await requireOperator();
  return <AccountsView />;
}
