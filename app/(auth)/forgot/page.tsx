import { getTranslations } from "next-intl/server";
import { titledUnlisted } from "@/app/_server/page-title";
import { helpFacts } from "@/app/_server/site";
import { AuthFrame } from "@/components/auth/auth-frame";
import { ForgotForm } from "@/components/auth/forgot-form";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SupportContact } from "@/components/ui/support-contact";

export const generateMetadata = titledUnlisted((t) => t("auth.forgotTitle"));

export default async function ForgotPage() {
  const t = await getTranslations("auth");
  const { hasMail, contact } = helpFacts();
  const foot = (
    <Link
      href="/login"
      className="rounded-sm font-medium text-ink underline decoration-line-strong underline-offset-3"
    >
      {t("backToLogin")}
    </Link>
  );
  return (
    <AuthFrame
      title={t("forgotTitle")}
      note={t(hasMail ? "forgotNote" : "forgotNoMail")}
      foot={foot}
    >
      {hasMail ? (
        <ForgotForm />
      ) : (
        <Notice tone="note">
          {t.rich("forgotAsk", { contact: () => <SupportContact contact={contact} /> })}
        </Notice>
      )}
    </AuthFrame>
  );
}
