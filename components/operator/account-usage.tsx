import { useFormatter, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import type { AccountView } from "@/lib/contract/operator-accounts";

interface AccountUsageProps {
  accountId: string;
  usage: AccountView["usage"];
}

/** The account's recent usage, with links to its requests and tasks. */
export function AccountUsage({ accountId, usage }: AccountUsageProps) {
  const t = useTranslations("operator.account");
  const format = useFormatter();
  const search = `account=${encodeURIComponent(accountId)}`;
  return (
    <Card aria-labelledby="account-usage">
      <CardHead id="account-usage" title={t("usage")} note={t("usageNote")} />
      {usage.length === 0 ? (
        <p className="border-t px-5 py-6 text-center text-muted text-sm">{t("noUsage")}</p>
      ) : null}
      {usage.length > 0 ? (
        <ul className="border-t px-5 py-2 text-sm">
          {usage.map(({ model, requests, charged }) => (
            <li key={model} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <span className="min-w-0 wrap-anywhere">
                {model}{" "}
                <span className="text-muted">
                  {t("requests", { count: requests, number: format.number(requests) })}
                </span>
              </span>
              <PointsText value={charged} />
            </li>
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap gap-2 border-t px-5 py-3">
        <Button size="small" asChild>
          <Link href={`/admin/requests?${search}`}>{t("allRequests")}</Link>
        </Button>
        <Button size="small" asChild>
          <Link href={`/admin/tasks?${search}`}>{t("allTasks")}</Link>
        </Button>
      </div>
    </Card>
  );
}
