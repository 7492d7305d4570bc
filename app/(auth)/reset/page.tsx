import { getTranslations } from "next-intl/server";
import { titledUnlisted } from "@/app/_server/page-title";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ResetForm } from "@/components/auth/reset-form";

export const generateMetadata = titledUnlisted((t) => t("auth.resetTitle"));

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
