import { useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { Pill } from "@/components/ui/pill";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, NumberHead, Row } from "@/components/ui/table";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSorted } from "@/components/ui/use-sorted";
import { useInvites } from "@/lib/client/operator-lists";
import { readPoints } from "@/lib/client/points-display";
import { useOperatorWrite } from "@/lib/client/write";
import { type InviteView, inviteEndpoints } from "@/lib/contract/operator-invites";
import { AccountLink } from "./account-link";

/** The invitations and their states. */
export function InvitesCard() {
  const t = useTranslations("operator.invites");
  const query = useInvites();
  const invites = query.data?.pages.flatMap((page) => page.invites) ?? [];
  const { rows, sort } = useSorted(
    invites,
    {
      for: ({ note }) => note,
      status: ({ status }) => status,
      until: ({ expiresAt }) => Date.parse(expiresAt),
      points: ({ points }) => points && readPoints(points),
    },
    !query.hasNextPage,
  );
  return (
    <ListCard
      id="invites"
      className="mt-3.5"
      title={t("title")}
      note={t("listNote")}
      query={query}
      empty={t("empty")}
      columns={
        <>
          <ColumnHead {...sort("for")}>{t("for")}</ColumnHead>
          <ColumnHead {...sort("status")}>{t("status")}</ColumnHead>
          <ColumnHead {...sort("until")}>{t("until")}</ColumnHead>
          <NumberHead {...sort("points")}>{t("points")}</NumberHead>
          <HiddenHead>{t("revoke")}</HiddenHead>
        </>
      }
      rows={rows.map((invite) => <InviteRow key={invite.id} invite={invite} />)}
    />
  );
}

function InviteRow({ invite }: { invite: InviteView }) {
  const t = useTranslations("operator.invites");
  const showFailure = useFailureToast();
  const revoke = useOperatorWrite(inviteEndpoints.revokeInvite);
  const take = () =>
    revoke.mutate(
      { id: invite.id },
      { onSuccess: () => showToast(t("revoked")), onError: showFailure },
    );
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="wrap-anywhere">{invite.note ?? t("anyone")}</span>
        <code className="block truncate text-faint text-xs">{invite.id}</code>
      </Cell>
      <Cell label={t("status")}>
        <Pill tone={invite.status === "open" ? "held" : invite.status === "used" ? "ok" : "plain"}>
          {t(`statuses.${invite.status}`)}
        </Pill>
      </Cell>
      <Cell label={t("until")} className="text-muted text-sm">
        {invite.accountId ? (
          <AccountLink id={invite.accountId} email={invite.accountEmail} />
        ) : (
          <RelativeTime at={invite.expiresAt} />
        )}
      </Cell>
      <Cell isNumber label={t("points")}>
        {invite.points === null ? (
          <span className="font-sans text-muted text-sm">{t("welcome")}</span>
        ) : (
          <PointsText value={invite.points} />
        )}
      </Cell>
      <Cell className="rows:text-right">
        {invite.status === "open" ? (
          <Button
            size="small"
            isBusy={revoke.isPending}
            aria-label={t("revokeLabel", { name: invite.note ?? invite.id })}
            onClick={take}
          >
            {t("revoke")}
          </Button>
        ) : null}
      </Cell>
    </Row>
  );
}
