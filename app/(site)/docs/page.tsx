import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { publicMetadata } from "@/app/_server/public-metadata";
import { siteFacts } from "@/app/_server/site";
import { StartGuide } from "@/components/docs/guides/start";
import { currentUser } from "@/lib/session/current-user";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("docs");
  return publicMetadata("/docs", t("names.start"), t("about.start"));
}

export default async function QuickStartPage() {
  const user = await currentUser();
  const { origin, baseUrl, welcomePoints } = siteFacts();
  return (
    <StartGuide
      place={{ origin, baseUrl }}
      welcomePoints={welcomePoints}
      isSignedIn={user !== null}
    />
  );
}
