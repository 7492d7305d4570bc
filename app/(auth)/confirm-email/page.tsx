import { getTranslations } from "next-intl/server";
import { titledUnlisted } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { AuthFrame } from "@/components/auth/auth-frame";
import { MailedChange } from "@/components/auth/mailed-change";

export const generateMetadata = titledUnlisted((t) => t("auth.confirmTitle"));

interface LinkProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/**
 * For the user who asked for the address. Opening the page uses nothing up: programs that read mail
 * open links too.
 */
export default async function ConfirmEmailPage({ searchParams }: LinkProps) {
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given : "";
  await requirePageUser(`/confirm-email?token=${encodeURIComponent(token)}`);
  const t = await getTranslations("auth");
  return (
    <AuthFrame title={t("confirmTitle")} note={t("confirmNote")} foot={null}>
      <MailedChange token={token} what="confirm" />
    </AuthFrame>
  );
}
