import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { OperatorKeysView } from "@/components/operator/keys/operator-keys-view";

export const generateMetadata = operatorTitle("keys");

export default async function OperatorKeysPage() {
  await requireOperator();
  return <OperatorKeysView />;
}
