import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ResetForm } from "@/components/auth/reset-form";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("resetTitle"), robots: { index: false } };
}

interface LinkProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Opening the page uses nothing up: programs that read mail open links too. */
export default async function ResetPage({ searchParams }: LinkProps) {
  const t = await getTranslations("auth");
  const { token } = await searchParams;
  return (
    <AuthFrame title={t("resetTitle")} note={t("resetNote")} foot={null}>
      <ResetForm token={typeof token === "string" ? token : ""} />
    </AuthFrame>
  );
}
