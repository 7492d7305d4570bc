import { redirect } from "next/navigation";
import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { isFromSandbox } from "@/app/_server/serving";
import { siteFacts } from "@/app/_server/site";
import { ChatView } from "@/components/playground/chat-view";

export const generateMetadata = pageTitle("playground");

/** `?tab=video` and `?tab=image` redirect to the pages of those families. */
export default async function PlaygroundPage({
  searchParams,
}: {
  searchParams: Promise<{ tab?: string | string[] }>;
}) {
  const { userId } = await requirePageUser();
  const { tab } = await searchParams;
  if (tab === "video" || tab === "image") redirect(`/playground/${tab}`);
  const isSandbox = isFromSandbox("text");
  return <ChatView baseUrl={siteFacts().baseUrl} userId={userId} isSandbox={isSandbox} />;
}
