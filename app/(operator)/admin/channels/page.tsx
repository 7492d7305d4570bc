import { operatorTitle } from "@/app/_server/page-title";
import { requireOperator } from "@/app/_server/page-user";
import { ChannelsView } from "@/components/operator/channels/channels-view";

export const generateMetadata = operatorTitle("channels");

export default async function ChannelsPage() {
  await requireOperator();
  return <ChannelsView />;
}
