import { Crown, UserCog, UserMinus, Wallet } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionsMenu, MenuItem } from "@/components/ui/menu";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, NumberCell, Row } from "@/components/ui/table";
import { shortPoints } from "@/lib/client/points-display";
import { useMay } from "@/lib/client/shown-account";
import type { MemberView } from "@/lib/contract/members";
import { BudgetDialog } from "./budget-dialog";
import { HandOverDialog } from "./hand-over-dialog";
import { RemoveDialog } from "./remove-dialog";
import { RoleDialog } from "./role-dialog";

const dialogs = {
  budget: BudgetDialog,
  role: RoleDialog,
  remove: RemoveDialog,
  handOver: HandOverDialog,
} as const;

/** What is left of each budget, a line each, with when it renews. */
function Budgets({ member: { budgets } }: { member: MemberView }) {
  const t = useTranslations("members");
  if (budgets.length === 0) return <span className="text-muted">{t("noBudget")}</span>;
  return (
    <ul className="cards:text-right">
      {budgets.map(({ period, left, budget, renewsAt }) => (
        <li key={period} className="num">
          {t(`leftOf.${period}`, { left: shortPoints(left), budget: shortPoints(budget) })}
          <span className="block text-muted">
            {t.rich("renewsAt", { time: () => <RelativeTime at={renewsAt} /> })}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface MemberRowProps {
  member: MemberView;
  /** Whether anybody shown has a budget. */
  showsBudgets: boolean;
}

export function MemberRow({ member, showsBudgets }: MemberRowProps) {
  const t = useTranslations("members");
  const roles = useTranslations("ui.roles");
  const { email, name, role, keys, spent30Days, createdAt, isYou } = member;
  return (
    <Row className="relative">
      <Cell className="max-w-80 cards:max-w-none cards:pr-12 cards:pb-1">
        {name === null ? null : (
          <span className="wrap-anywhere block font-medium">
            <bdi>{name}</bdi>
          </span>
        )}
        <span className="wrap-anywhere">{email}</span>
        {isYou ? <span className="text-muted"> {t("you")}</span> : null}
      </Cell>
      <Cell label={t("role")}>{roles(role)}</Cell>
      <NumberCell label={t("keys")}>{keys}</NumberCell>
      <NumberCell label={t("spent")}>
        <PointsText value={spent30Days} />
      </NumberCell>
      {showsBudgets ? (
        <Cell label={t("budget")} className="text-sm">
          <Budgets member={member} />
        </Cell>
      ) : null}
      <Cell label={t("since")} className="text-muted text-sm">
        <RelativeTime at={createdAt} />
      </Cell>
      <Cell className="cards:absolute cards:top-2 cards:right-3 rows:w-12 rows:text-right">
        <MemberActions member={member} />
      </Cell>
    </Row>
  );
}

/** The owner stays an owner, and members leave by another button. */
function MemberActions({ member }: { member: MemberView }) {
  const t = useTranslations("members");
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const [manages, owns] = [useMay("manageMembers"), useMay("own")];
  if (!manages) return null;
  const isFixed = member.role === "owner" || member.isYou;
  const Opened = open && dialogs[open];
  return (
    <>
      <ActionsMenu
        label={t("actionsFor", { name: member.name ?? member.email })}
        className="rows:-my-1.5"
      >
        <MenuItem onSelect={() => setOpen("budget")}>
          <Wallet aria-hidden />
          {t("setBudget")}
        </MenuItem>
        {isFixed ? null : (
          <MenuItem onSelect={() => setOpen("role")}>
            <UserCog aria-hidden />
            {t("changeRole")}
          </MenuItem>
        )}
        {owns && !isFixed ? (
          <MenuItem onSelect={() => setOpen("handOver")}>
            <Crown aria-hidden />
            {t("handOver")}
          </MenuItem>
        ) : null}
        {isFixed ? null : (
          <MenuItem isDangerous onSelect={() => setOpen("remove")}>
            <UserMinus aria-hidden />
            {t("remove")}
          </MenuItem>
        )}
      </ActionsMenu>
      {Opened ? <Opened member={member} onClose={() => setOpen(null)} /> : null}
    </>
  );
}
