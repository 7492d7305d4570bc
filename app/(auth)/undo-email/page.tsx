import { getTranslations } from "next-intl/server";
import { titledUnlisted } from "@/app/_server/page-title";
import { AuthFrame } from "@/components/auth/auth-frame";
import { MailedChange } from "@/components/auth/mailed-change";

export const generateMetadata = titledUnlisted((t) => t("auth.undoTitle"));

interface LinkProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Opening the page uses nothing up: programs that read mail open links too. */
export default async function UndoEmailPage({ searchParams }: LinkProps) {
  const t = await getTranslations("auth");
  const { token } = await searchParams;
  return (
    <AuthFrame title={t("undoTitle")} note={t("undoNote")} foot={null}>
      <MailedChange token={typeof token === "string" ? token : ""} what="undo" />
    </AuthFrame>
  );
}
