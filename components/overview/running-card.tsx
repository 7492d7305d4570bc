import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { SettlementLine } from "@/components/requests/settlement-line";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { runningQuery } from "@/lib/client/usage";

const SHOWN_MAX = 4;

/** The requests that hold points now. */
export function RunningCard({ openHolds }: { openHolds: number | undefined }) {
  const t = useTranslations("overview");
  const running = useQuery({
    ...runningQuery,
    enabled: openHolds !== undefined && openHolds > 0,
  });
  const { data, error } = running;
  const requests = openHolds === 0 ? [] : (data?.requests ?? []);
  return (
    <Card aria-labelledby="running" className="min-h-34 px-4 py-3.5">
      <h2 id="running" className="text-lg">
        {t("running")}
      </h2>
      {openHolds === undefined ? (
        <div className="grid gap-2.5 pt-3">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3 w-64 max-w-full" />
        </div>
      ) : null}
      {error && !data ? (
        <div className="mt-2">
          <QueryFailure error={error} onRetry={() => void running.refetch()} />
        </div>
      ) : null}
      {openHolds !== undefined && openHolds > 0 && !data && !error ? (
        <div className="mt-2 grid gap-3">
          {["first", "second", "third", "fourth"].slice(0, openHolds).map((row) => (
            <Skeleton key={row} className="h-18.5 w-full" />
          ))}
        </div>
      ) : null}
      {openHolds === 0 ? (
        <>
          <p className="mt-1.5 mb-1 font-medium">{t("nothingRuns")}</p>
          <p className="text-muted text-sm">{t("nothingRunsNote")}</p>
        </>
      ) : null}
      <ul className="mt-2 grid gap-3">
        {requests.slice(0, SHOWN_MAX).map(({ id, at, request }) =>
          request ? (
            <li key={id} className="grid gap-1.5">
              <Link
                href={`/requests/${id}`}
                prefetch={false}
                className="justify-self-start rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
              >
                <FamilyTag family={request.family}>{request.model}</FamilyTag>
              </Link>
              <SettlementLine {...request} heldSince={at} />
            </li>
          ) : null,
        )}
      </ul>
      {openHolds !== undefined && openHolds > SHOWN_MAX ? (
        <Link
          href="/usage?status=held"
          className="mt-3 inline-block rounded-sm text-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {t("allRunning", { count: openHolds })}
        </Link>
      ) : null}
    </Card>
  );
}
