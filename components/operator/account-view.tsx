"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { useAccount } from "@/lib/client/operator-lists";
import type { AccountView as Account } from "@/lib/contract/operator-accounts";
import { AccountEntries } from "./account-entries";
import { AccountKeys } from "./account-keys";
import { AccountPlan } from "./account-plan";
import { AccountPoints } from "./account-points";
import { AccountStatus } from "./account-status";
import { AccountTerms } from "./account-terms";
import { AccountUsage } from "./account-usage";
import { AccountUsers } from "./account-users";
import { ResumeDialog, SuspendDialog } from "./suspend-dialogs";

/** The operators' page of one account. */
export function AccountView({ id }: { id: string }) {
  const t = useTranslations("operator.account");
  const { data, error, refetch } = useAccount(id);
  return (
    <>
      <PageHead title={data?.account.email ?? t("title")}>
        {data ? <StatusActions account={data.account} /> : null}
      </PageHead>
      <p className="-mt-4 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        {data?.account.name ? (
          <span className="wrap-anywhere text-ink">{data.account.name}</span>
        ) : null}
        <span className="flex items-center gap-1">
          <code className="break-all">{id}</code>
          <CopyButton
            text={id}
            what={t("id")}
            look="quiet"
            hasText={false}
            className="-my-1 size-7 p-0"
          />
        </span>
        {data ? (
          <>
            <AccountStatus {...data.account} />
            <span>
              {t.rich("since", { time: () => <RelativeTime at={data.account.createdAt} /> })}
            </span>
          </>
        ) : null}
      </p>
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <AccountSkeleton /> : null}
      {data ? <Parts account={data} /> : null}
    </>
  );
}

function Parts({ account: { account, people, keys, usage } }: { account: Account }) {
  const t = useTranslations("operator.account");
  return (
    <div className="grid gap-3.5">
      {account.suspension ? (
        <Notice tone="bad">
          <p className="font-medium">
            {t.rich("suspended", {
              time: () => <RelativeTime at={account.suspension?.at ?? ""} />,
            })}
          </p>
          <p className="wrap-anywhere">{account.suspension.reason}</p>
        </Notice>
      ) : null}
      <AccountPoints account={account} />
      <div className="grid items-start gap-3.5 lg:grid-cols-2">
        <AccountTerms account={account} />
        <AccountUsage accountId={account.id} usage={usage} />
      </div>
      <AccountPlan id={account.id} isSuspended={account.suspension !== null} />
      <AccountKeys keys={keys} />
      <AccountUsers people={people} />
      <AccountEntries id={account.id} />
    </div>
  );
}

function StatusActions({ account }: { account: Account["account"] }) {
  const t = useTranslations("operator.account");
  // The open dialog does not depend on the account's status, which may change while it closes.
  const [open, setOpen] = useState<"suspend" | "resume" | null>(null);
  const close = () => setOpen(null);
  const isSuspended = account.status === "suspended";
  return (
    <>
      <Button
        look={isSuspended ? "go" : "plain"}
        onClick={() => setOpen(isSuspended ? "resume" : "suspend")}
      >
        {t(isSuspended ? "resume" : "suspend")}
      </Button>
      {open === "resume" ? <ResumeDialog id={account.id} onClose={close} /> : null}
      {open === "suspend" ? <SuspendDialog id={account.id} onClose={close} /> : null}
    </>
  );
}

function AccountSkeleton() {
  return (
    <div className="grid gap-3.5">
      <Skeleton className="h-40 w-full rounded-lg" />
      <Skeleton className="h-64 w-full rounded-lg" />
      <Skeleton className="h-64 w-full rounded-lg" />
    </div>
  );
}
