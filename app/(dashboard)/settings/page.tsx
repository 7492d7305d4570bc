import { pageTitle } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { helpFacts, signInServiceFacts } from "@/app/_server/site";
import { SecondFactorPart } from "@/components/second-factor/second-factor-part";
import { SettingsView } from "@/components/settings/settings-view";
import { SignOutButton } from "@/components/shell/sign-out-button";

export const generateMetadata = pageTitle("settings");

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
