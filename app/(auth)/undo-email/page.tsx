import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AuthFrame } from "@/components/auth/auth-frame";
import { MailedChange } from "@/components/auth/mailed-change";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth");
  return { title: t("undoTitle"), robots: { index: false } };
}

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
