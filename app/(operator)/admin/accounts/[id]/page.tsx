import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { AccountView } from "@/components/operator/account-view";

export const generateMetadata = operatorTitle("account");

export default async function OperatorAccountPage({ params }: { params: Promise<{ id: string }> }) {
  await requireOperator();
  const { id } = await params;
  return <AccountView id={decodeURIComponent(id)} />;
}
