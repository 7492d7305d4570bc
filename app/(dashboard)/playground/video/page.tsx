import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { isFromSandbox } from "@/app/_server/serving";
import { siteFacts } from "@/app/_server/site";
import { VideoView } from "@/components/playground/video-view";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("studio");
  return { title: t("videoTitle") };
}

interface PlaygroundProps {
  searchParams: Promise<{ model?: string | string[] }>;
}

export default async function VideoPlaygroundPage({ searchParams }: PlaygroundProps) {
  await requirePageUser();
  const { model } = await searchParams;
  return (
    <VideoView
      baseUrl={siteFacts().baseUrl}
      model={typeof model === "string" ? model : null}
      isSandbox={isFromSandbox("video")}
    />
  );
}
