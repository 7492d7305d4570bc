import { useLocale, useTranslations } from "next-intl";
import { RequestFactsText } from "@/components/requests/entry-cells";
import { FamilyTag } from "@/components/requests/family-tag";
import { SettlementDots } from "@/components/requests/settlement-dots";
import { useArchivedMonths } from "@/components/requests/use-archived-months";
import { Card, PartHead } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { exactTime } from "@/lib/client/times";
import { useLastRequests } from "@/lib/client/usage";
import type { EntryView } from "@/lib/contract/entries";

const SHOWN = 6;
const rows = Array.from({ length: SHOWN }, (_, row) => row);

/** The newest requests, one line each. */
export function LastRequests() {
  const t = useTranslations("overview");
  const entries = useTranslations("entries");
  const { data, error, refetch } = useLastRequests();
  const months = useArchivedMonths(data?.archived);
  const shown = data?.requests.slice(0, SHOWN);
  return (
    <Card aria-labelledby="last" className="px-5 pb-1">
      <PartHead
        id="last"
        title={t("lastRequests")}
        href="/usage"
        all={t("allRequests")}
        className="pt-3.5 pb-1.5"
      />
      {error && !data ? (
        <div className="pb-4">
          <QueryFailure error={error} onRetry={() => void refetch()} />
        </div>
      ) : null}
      {shown?.length === 0 ? (
        <p className="grid min-h-54 place-content-center text-center text-muted text-sm">
          {months === null ? entries("empty") : entries("archived", { months })}
        </p>
      ) : null}
      <ul className={shown?.length === 0 ? undefined : "min-h-54 divide-y"}>
        {shown === undefined && !error
          ? rows.map((row) => (
              <li key={row} className="flex h-9 items-center">
                <Skeleton className="h-3.5 w-full" />
              </li>
            ))
          : null}
        {shown?.map((entry) => (
          <RequestLine key={entry.id} entry={entry} />
        ))}
      </ul>
    </Card>
  );
}

function RequestLine({ entry }: { entry: EntryView }) {
  const t = useTranslations("overview");
  const entries = useTranslations("entries");
  const locale = useLocale();
  const { request } = entry;
  if (request === null) return null;
  return (
    <li>
      <Link
        href={`/requests/${entry.id}`}
        prefetch={false}
        className="-mx-2 grid min-h-9 grid-cols-[3.75rem_minmax(0,1fr)_auto] items-center gap-3 rounded-sm px-2 text-sm hover:bg-wash sm:grid-cols-[3.75rem_11rem_minmax(0,1fr)_auto_7rem]"
      >
        <time dateTime={entry.at} title={exactTime(entry.at, locale)} className="num text-muted">
          {shortTime(entry.at, locale)}
        </time>
        <span className="truncate">
          <FamilyTag family={request.family}>{request.model}</FamilyTag>
        </span>
        <span className="truncate text-muted max-sm:hidden">
          <RequestFactsText request={request} reason={entry.reason} />
        </span>
        <span className="max-sm:hidden">
          <SettlementDots state={request.state} />
        </span>
        <span className="text-right">
          {request.state === "held" ? (
            <span className="text-held-ink">
              <PointsText value={request.held} /> {entries("heldNow")}
            </span>
          ) : request.state === "released" ? (
            <span className="text-muted">{t("notCharged")}</span>
          ) : (
            <PointsText value={entry.amount} />
          )}
        </span>
      </Link>
    </li>
  );
}

/** The time of today, or the day. */
function shortTime(at: string, locale: string): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(
    locale,
    isToday
      ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
      : { month: "short", day: "numeric" },
  ).format(date);
}
