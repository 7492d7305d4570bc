"use client";

import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ComponentProps, useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ForRole, RoleNote } from "@/components/ui/for-role";
import { PageHead } from "@/components/ui/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, HiddenHead, NumberHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { useMembers } from "@/lib/client/members";
import { readPoints } from "@/lib/client/points-display";
import type { MemberView } from "@/lib/contract/members";
import { memberRoles } from "@/lib/contract/states";
import { AccountNameForm } from "./account-name-form";
import { InvitationsCard } from "./invitations-card";
import { InviteDialog } from "./invite-dialog";
import { LeaveAccount } from "./leave-account";
import { MemberRow } from "./member-row";
import { TagBudgetsCard } from "./tag-budgets-card";

const memberValues = {
  person: ({ name, email }: MemberView) => name ?? email,
  role: ({ role }: MemberView) => String(memberRoles.indexOf(role)),
  keys: ({ keys }: MemberView) => keys,
  spent: ({ spent30Days }: MemberView) => readPoints(spent30Days),
  since: ({ createdAt }: MemberView) => Date.parse(createdAt),
};

/** The people who work in the account. */
export function MembersView() {
  const t = useTranslations("members");
  const query = useMembers();
  const [isInviting, setIsInviting] = useState(false);
  const members = query.data?.members ?? [];
  const { rows, sort } = useSorted(members, memberValues);
  const showsBudgets = members.some(({ budgets }) => budgets.length > 0);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <ForRole needs="manageMembers">
          <Button look="go" onClick={() => setIsInviting(true)}>
            <UserPlus aria-hidden />
            {t("invite")}
          </Button>
        </ForRole>
      </PageHead>
      <RoleNote />
      <div className="grid grid-cols-1 gap-3.5">
        <ListCard
          id="members"
          isWide
          title={t("people")}
          note={t("peopleNote")}
          query={query}
          skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
          empty={null}
          columns={
            <>
              <ColumnHead {...sort("person")}>{t("person")}</ColumnHead>
              <ColumnHead {...sort("role")}>{t("role")}</ColumnHead>
              <NumberHead {...sort("keys")}>{t("keys")}</NumberHead>
              <NumberHead {...sort("spent")}>{t("spent")}</NumberHead>
              {showsBudgets ? <ColumnHead>{t("budget")}</ColumnHead> : null}
              <ColumnHead {...sort("since")}>{t("since")}</ColumnHead>
              <HiddenHead>{t("actions")}</HiddenHead>
            </>
          }
          rows={rows.map((member) => (
            <MemberRow key={member.id} member={member} showsBudgets={showsBudgets} />
          ))}
        />
        <ForRole needs="manageMembers">
          <After of={[query]}>
            <InvitationsCard query={query} />
          </After>
        </ForRole>
        <After of={[query]}>
          <TagBudgetsCard />
        </After>
        {query.data ? <AccountCard name={query.data.account.name} members={members} /> : null}
      </div>
      {isInviting ? (
        <InviteDialog
          sendsMail={query.data?.sendsMail ?? false}
          onClose={() => setIsInviting(false)}
        />
      ) : null}
    </>
  );
}

interface AccountCardProps {
  name: ComponentProps<typeof AccountNameForm>["name"];
  members: readonly MemberView[];
}

function AccountCard({ name, members }: AccountCardProps) {
  const t = useTranslations("members");
  return (
    <Card aria-labelledby="account" className="px-5 py-4.5">
      <h2 id="account" className="text-lg">
        {t("account")}
      </h2>
      <ForRole needs="changeAccount">
        <p className="mb-3 text-muted text-sm">{t("accountNote")}</p>
        <AccountNameForm name={name} />
      </ForRole>
      <LeaveAccount members={members} />
    </Card>
  );
}
