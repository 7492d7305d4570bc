import { useFormatter, useLocale, useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { dayName } from "@/lib/client/days";
import { useOperatorWrite } from "@/lib/client/write";
import { type AuditRunView, type MoneyView, moneyEndpoints } from "@/lib/contract/operator-money";

/** The last audit of the ledger, and a button to run one. */
export function AuditCard({ money }: { money: MoneyView | undefined }) {
  const t = useTranslations("operator.money");
  const showFailure = useFailureToast();
  const write = useOperatorWrite(moneyEndpoints.auditLedger);
  const run = () => write.mutate({}, { onError: showFailure });
  return (
    <Card aria-labelledby="audit" className="min-h-44">
      <CardHead id="audit" title={t("audit")} note={t("auditNote")}>
        <Button size="small" isBusy={write.isPending} onClick={run}>
          {t("auditRun")}
        </Button>
      </CardHead>
      <div className="border-t px-5 py-4">
        {money === undefined ? <Skeleton className="h-16 w-full" /> : null}
        {money?.audit === null ? <p className="text-muted">{t("noAudit")}</p> : null}
        {money?.audit ? <LastAudit audit={money.audit} /> : null}
        {money?.seals.day ? <LastSeal seals={money.seals} /> : null}
      </div>
    </Card>
  );
}

/** Up to which day the ledger is sealed, and the hash that proves it later. */
function LastSeal({ seals }: { seals: MoneyView["seals"] }) {
  const t = useTranslations("operator.money");
  const locale = useLocale();
  if (seals.day === null || seals.head === null) return null;
  return (
    <div className="mt-2.5 text-muted text-sm">
      {seals.isBehind ? <p className="text-bad">{t("sealsBehind")}</p> : null}
      <p>{t("sealed", { day: dayName(seals.day, locale, true) })}</p>
      <p className="flex items-center gap-2">
        <code className="wrap-anywhere text-xs">{seals.head}</code>
        <CopyButton look="quiet" text={seals.head} what={t("head")} />
      </p>
    </div>
  );
}

function LastAudit({ audit }: { audit: AuditRunView }) {
  const t = useTranslations("operator.money");
  const format = useFormatter();
  return (
    <>
      <Notice tone={audit.isClean ? "ok" : "bad"}>
        <p className="font-medium">{t(audit.isClean ? "addsUp" : "addsNotUp")}</p>
        {audit.broken.map(({ name, detail }) => (
          <p key={name} className="mt-1 wrap-anywhere">
            {name}
            <code className="block text-xs">{detail}</code>
          </p>
        ))}
      </Notice>
      <p className="mt-2.5 text-muted text-sm">
        <RelativeTime at={audit.startedAt} /> ·{" "}
        {t("audited", { entries: format.number(audit.entries), accounts: audit.accounts })}
      </p>
    </>
  );
}
