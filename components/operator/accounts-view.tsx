"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { FilterChoice } from "@/components/lists/filter-choice";
import { ListCard } from "@/components/lists/list-card";
import { After } from "@/components/ui/after";
import { cn } from "@/components/ui/class-names";
import { PageHead } from "@/components/ui/page-head";
import { PointsText } from "@/components/ui/points-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, NumberCell, NumberHead, Row } from "@/components/ui/table";
import { type Sorts, useSorted } from "@/components/ui/use-sorted";
import { useAccounts } from "@/lib/client/operator-lists";
import { readPoints } from "@/lib/client/points-display";
import type { AccountLine } from "@/lib/contract/operator-accounts";
import { accountStatuses } from "@/lib/contract/states";
import { AccountLink } from "./account-link";
import { AccountStatus } from "./account-status";
import { ImportsCard } from "./imports-card";
import { InviteDialog } from "./invite-dialog";
import { InvitesCard } from "./invites-card";
import { SearchRow } from "./search-row";

/** All accounts, and the invitations. */
export function AccountsView() {
  const t = useTranslations("operator.accounts");
  const search = useSearchParams();
  const [q, status, operators] = [
    search.get("q") ?? "",
    search.get("status"),
    search.get("operators"),
  ];
  const query = useAccounts({
    q,
    status: status ?? undefined,
    operators: operators === "yes" ? "yes" : undefined,
  });
  const accounts = query.data?.pages.flatMap((page) => page.accounts) ?? [];
  const { rows, sort } = useSorted(
    accounts,
    {
      account: ({ name, email, id }) => name ?? email ?? id,
      status: ({ status }) => status,
      since: ({ createdAt }) => Date.parse(createdAt),
      seen: ({ lastSeenAt }) => (lastSeenAt === null ? null : Date.parse(lastSeenAt)),
      spent: ({ spent }) => readPoints(spent),
      multiplier: ({ multiplier }) => Number(multiplier),
      held: ({ held }) => readPoints(held),
      available: ({ available }) => readPoints(available),
    },
    !query.hasNextPage,
  );
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <InviteDialog />
      </PageHead>
      <SearchRow label={t("searchLabel")} value={q}>
        <FilterChoice
          label={t("status")}
          name="status"
          value={status}
          any={t("anyStatus")}
          options={accountStatuses.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        />
        <FilterChoice
          label={t("who")}
          name="operators"
          value={operators}
          any={t("everyone")}
          options={[{ value: "yes", label: t("operators") }]}
        />
      </SearchRow>
      <ListCard
        id="accounts"
        isWide
        title={t("list")}
        isPageTitle
        note={t("listNote")}
        query={query}
        empty={q === "" ? t("empty") : t("nothingFound")}
        columns={<Columns sort={sort} />}
        rows={rows.map((account) => <AccountRow key={account.id} account={account} />)}
      />
      <After of={[query]}>
        <InvitesCard />
        <ImportsCard />
      </After>
    </>
  );
}

type Column =
  | "account"
  | "status"
  | "since"
  | "seen"
  | "multiplier"
  | "spent"
  | "held"
  | "available";

/** The account's page says it too. */
const whereWide = "rows:@max-4xl/table:hidden!";

function Columns({ sort }: { sort: Sorts<Column> }) {
  const t = useTranslations("operator.accounts");
  return (
    <>
      <ColumnHead {...sort("account")}>{t("account")}</ColumnHead>
      <ColumnHead {...sort("status")}>{t("status")}</ColumnHead>
      <ColumnHead {...sort("since")} className={whereWide}>
        {t("since")}
      </ColumnHead>
      <ColumnHead {...sort("seen")}>{t("seen")}</ColumnHead>
      <NumberHead {...sort("multiplier")}>{t("multiplier")}</NumberHead>
      <NumberHead {...sort("spent")}>{t("spent")}</NumberHead>
      <NumberHead {...sort("held")}>{t("held")}</NumberHead>
      <NumberHead {...sort("available")}>{t("available")}</NumberHead>
    </>
  );
}

function AccountRow({ account }: { account: AccountLine }) {
  const t = useTranslations("operator.accounts");
  return (
    <Row>
      <Cell className="cards:pb-1.5 rows:@max-4xl/table:max-w-48">
        <span className="block font-medium rows:min-w-44">
          <AccountLink id={account.id} email={account.email} />
        </span>
        {account.name === null ? null : (
          <span className="block wrap-anywhere text-sm">{account.name}</span>
        )}
      </Cell>
      <Cell label={t("status")}>
        <AccountStatus {...account} />
      </Cell>
      <Cell label={t("since")} className={cn("text-muted text-sm", whereWide)}>
        <RelativeTime at={account.createdAt} />
      </Cell>
      <Cell label={t("seen")} className="text-muted text-sm">
        {account.lastSeenAt === null ? t("never") : <RelativeTime at={account.lastSeenAt} />}
      </Cell>
      <Cell isNumber label={t("multiplier")}>
        <span className="grow text-right">
          {`× ${account.multiplier}`}
          {account.group ? (
            <span className="block wrap-anywhere text-muted text-xs">{account.group.name}</span>
          ) : null}
        </span>
      </Cell>
      <NumberCell label={t("spent")}>
        <PointsText value={account.spent} />
      </NumberCell>
      <Cell isNumber label={t("held")}>
        <PointsText
          value={account.held}
          className={account.openHolds > 0 ? "text-held-ink" : "text-muted"}
        />
      </Cell>
      <NumberCell label={t("available")}>
        <PointsText value={account.available} />
      </NumberCell>
    </Row>
  );
}
