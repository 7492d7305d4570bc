import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Pill } from "@/components/ui/pill";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { browserName } from "@/lib/client/browser-name";
import { sessionsQuery, useEndSession } from "@/lib/client/settings";
import type { SessionView } from "@/lib/contract/settings";

/** The user's sessions. All but the current one can be ended here. */
export function SessionList() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  if (error && !data) return <QueryFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-14.5 w-full" />;
  return (
    <ul className="divide-y rounded-md border">
      {data.sessions.map((session) => (
        <SessionItem key={session.id} session={session} />
      ))}
    </ul>
  );
}

function SessionItem({ session }: { session: SessionView }) {
  const t = useTranslations("settings");
  const showFailure = useFailureToast();
  const end = useEndSession();
  const { browser, system } = browserName(session.userAgent);
  const name =
    browser && system ? t("browserOn", { browser, system }) : (browser ?? t("unknownBrowser"));
  const Icon = system === "iOS" || system === "Android" ? Smartphone : Monitor;
  const leave = () =>
    end.mutate(session.id, { onSuccess: () => showToast(t("endedOne")), onError: showFailure });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p
          className="flex flex-wrap items-center gap-2 text-sm"
          title={session.userAgent ?? undefined}
        >
          {name}
          {session.isCurrent ? <Pill tone="ok">{t("thisOne")}</Pill> : null}
        </p>
        <p className="flex flex-wrap gap-x-2 text-muted text-xs">
          <span>
            {t.rich("lastSeen", { time: () => <RelativeTime at={session.lastSeenAt} /> })}
          </span>
          {session.address ? <span className="num">{session.address}</span> : null}
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button
          size="small"
          isBusy={end.isPending}
          aria-label={t("endOneLabel", { browser: name })}
          onClick={leave}
        >
          {t("endOne")}
        </Button>
      )}
    </li>
  );
}
