"use client";

import { Crown, Ellipsis, UserCog, UserMinus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, Row } from "@/components/ui/table";
import { useMay } from "@/lib/client/shown-account";
import type { MemberView } from "@/lib/contract/members";
import { HandOverDialog } from "./hand-over-dialog";
import { RemoveDialog } from "./remove-dialog";
import { RoleDialog } from "./role-dialog";

const dialogs = { role: RoleDialog, remove: RemoveDialog, handOver: HandOverDialog } as const;

export function MemberRow({ member }: { member: MemberView }) {
  const t = useTranslations("members");
  const roles = useTranslations("ui.roles");
  const { email, name, role, keys, spent30Days, createdAt, isYou } = member;
  return (
    <Row className="relative">
      <Cell className="max-w-80 @max-2xl/table:max-w-none @max-2xl/table:pr-12 @max-2xl/table:pb-1">
        {name === null ? null : (
          <span className="wrap-anywhere block font-medium">
            <bdi>{name}</bdi>
          </span>
        )}
        <span className="wrap-anywhere">{email}</span>
        {isYou ? <span className="text-muted"> {t("you")}</span> : null}
      </Cell>
      <Cell label={t("role")}>{roles(role)}</Cell>
      <Cell isNumber label={t("keys")}>
        {keys}
      </Cell>
      <Cell isNumber label={t("spent")}>
        <PointsText value={spent30Days} />
      </Cell>
      <Cell label={t("since")} className="text-muted text-sm">
        <RelativeTime at={createdAt} />
      </Cell>
      <Cell className="@max-2xl/table:absolute @max-2xl/table:top-2 @max-2xl/table:right-3 @2xl/table:w-12 @2xl/table:text-right">
        <MemberActions member={member} />
      </Cell>
    </Row>
  );
}

/** The owner stays as is, and members leave by another button. */
function MemberActions({ member }: { member: MemberView }) {
  const t = useTranslations("members");
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const [manages, owns] = [useMay("manageMembers"), useMay("own")];
  if (!manages || member.role === "owner" || member.isYou) return null;
  const Opened = open && dialogs[open];
  return (
    <>
      <Menu
        trigger={
          <Button
            look="quiet"
            size="icon"
            aria-label={t("actionsFor", { name: member.name ?? member.email })}
            className="@2xl/table:-my-1.5"
          >
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen("role")}>
          <UserCog aria-hidden />
          {t("changeRole")}
        </MenuItem>
        {owns ? (
          <MenuItem onSelect={() => setOpen("handOver")}>
            <Crown aria-hidden />
            {t("handOver")}
          </MenuItem>
        ) : null}
        <MenuItem isDangerous onSelect={() => setOpen("remove")}>
          <UserMinus aria-hidden />
          {t("remove")}
        </MenuItem>
      </Menu>
      {Opened ? <Opened member={member} onClose={() => setOpen(null)} /> : null}
    </>
  );
}
