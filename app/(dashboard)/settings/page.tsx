import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requirePageUser } from "@/app/_server/page-user";
import { helpFacts, signInServiceFacts } from "@/app/_server/site";
import { SecondFactorPart } from "@/components/second-factor/second-factor-part";
import { SettingsView } from "@/components/settings/settings-view";
import { SignOutButton } from "@/components/shell/sign-out-button";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("settings");
  return { title: t("title") };
}

interface SettingsPageProps {
  searchParams: Promise<{ refused?: string | string[] }>;
}

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const user = await requirePageUser();
  const { refused } = await searchParams;
  return (
    <SettingsView
      email={user.email}
      help={helpFacts()}
      secondFactor={<SecondFactorPart />}
      services={signInServiceFacts()}
      isServiceRefused={refused === "identity"}
      signOut={<SignOutButton className="px-3.5 md:hidden" />}
    />
  );
}
