import { useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, ColumnHead, HiddenHead, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSorted } from "@/components/ui/use-sorted";
import { type useMembers, useRevokeInvitation } from "@/lib/client/members";
import type { InvitationView } from "@/lib/contract/members";

/** The invitations that can still be accepted. */
export function InvitationsCard({ query }: { query: ReturnType<typeof useMembers> }) {
  const t = useTranslations("members");
  const invitations = query.data?.invitations ?? [];
  const { rows, sort } = useSorted(invitations, {
    invited: ({ email }) => email,
    role: ({ role }) => role,
    ends: ({ expiresAt }) => Date.parse(expiresAt),
  });
  return (
    <ListCard
      id="invitations"
      title={t("invitations")}
      note={t("invitationsNote")}
      query={query}
      skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
      empty={<p className="border-t px-5 py-4 text-muted">{t("noInvitations")}</p>}
      columns={
        <>
          <ColumnHead {...sort("invited")}>{t("invited")}</ColumnHead>
          <ColumnHead {...sort("role")}>{t("role")}</ColumnHead>
          <ColumnHead {...sort("ends")}>{t("ends")}</ColumnHead>
          <HiddenHead>{t("actions")}</HiddenHead>
        </>
      }
      rows={rows.map((invitation) => <InvitationRow key={invitation.id} invitation={invitation} />)}
    />
  );
}

function InvitationRow({ invitation }: { invitation: InvitationView }) {
  const t = useTranslations("members");
  const roles = useTranslations("ui.roles");
  const showFailure = useFailureToast();
  const revoke = useRevokeInvitation();
  const { id, email, role, expiresAt } = invitation;
  const end = () =>
    revoke.mutate(id, {
      onError: showFailure,
      onSuccess: () => showToast(t("revoked")),
    });
  return (
    <Row>
      <Cell className="cards:pb-1">
        <span className="wrap-anywhere">{email ?? t("byLink")}</span>
      </Cell>
      <Cell label={t("role")}>{roles(role)}</Cell>
      <Cell label={t("ends")} className="text-muted text-sm">
        <RelativeTime at={expiresAt} />
      </Cell>
      <Cell className="cards:pt-2 rows:text-right">
        <Button isBusy={revoke.isPending} onClick={end}>
          {t("revoke")}
        </Button>
      </Cell>
    </Row>
  );
}
