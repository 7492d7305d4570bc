import { getTranslations } from "next-intl/server";
import { shownInvitation } from "@/app/_server/members";
import { titledUnlisted } from "@/app/_server/page-title";
import { requirePageUser } from "@/app/_server/page-user";
import { AcceptInvitation } from "@/components/auth/accept-invitation";
import { AuthFrame } from "@/components/auth/auth-frame";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

export const generateMetadata = titledUnlisted((t) => t("auth.invitationTitle"));

interface LinkProps {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** Opening the page uses nothing up: programs that read mail open links too. */
export default async function InvitationPage({ searchParams }: LinkProps) {
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given : "";
  const user = await requirePageUser(`/invitation?token=${encodeURIComponent(token)}`);
  const t = await getTranslations("auth");
  const roles = await getTranslations("ui.roles");
  const invitation = await shownInvitation(token);
  if (invitation === null)
    return (
      <AuthFrame title={t("invitationTitle")} note={t("invitationGone")} foot={null}>
        <Button asChild look="go" size="large">
          <Link href="/overview">{t("toOverview")}</Link>
        </Button>
      </AuthFrame>
    );
  const { account, role } = invitation;
  const note = t("invitationNote", { account, role: roles(role), email: user.email });
  return (
    <AuthFrame title={t("invitationTitle")} note={note} foot={null}>
      <AcceptInvitation token={token} />
    </AuthFrame>
  );
}
