import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { MembersView } from "@/components/members/members-view";

export const generateMetadata = pageTitle("members");

export default async function MembersPage() {
  await requirePageUser();
  return <MembersView />;
}
