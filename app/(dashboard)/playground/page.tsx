import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { siteFacts } from "@/app/_server/site";
import { ChatView } from "@/components/playground/chat-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("playground");
  return { title: t("title") };
}

export default async function PlaygroundPage() {
  await requirePageUser();
  return <ChatView baseUrl={siteFacts().baseUrl} />;
}
