import { ChevronRight } from "lucide-react";
import { useFormatter, useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ErrorText } from "@/components/requests/error-text";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useListText } from "@/components/ui/use-list-text";
import { dayName } from "@/lib/client/days";
import { useNow } from "@/lib/client/now";
import { failedShare, fewFailures, isFailing } from "@/lib/client/operator-channel-alarms";
import { relativeTime } from "@/lib/client/times";
import type { OperatorOverview } from "@/lib/contract/operator";
import type { ChannelView } from "@/lib/contract/operator-channels";

interface NeedTilesProps {
  overview: OperatorOverview | undefined;
  channels: readonly ChannelView[] | undefined;
}

/** What needs a person now; each leads to where it is dealt with. */
export function NeedTiles({ overview, channels }: NeedTilesProps) {
  const t = useTranslations("operator.overview.needs");
  return (
    <Card
      aria-label={t("label")}
      className="grid gap-px overflow-hidden bg-line sm:grid-cols-2 xl:grid-cols-4"
    >
      <AlarmTile overview={overview} channels={channels} />
      <StuckTile needs={overview?.needs} />
      <PaymentsTile needs={overview?.needs} />
      <LedgerTile needs={overview?.needs} />
    </Card>
  );
}

/** `alarm`: something is wrong. `open`: something is to be done. `quiet`: nothing is. */
type Tone = "alarm" | "open" | "quiet";
const marks: Record<Tone, string> = {
  alarm: "rounded-[1px] bg-bad",
  open: "rounded-full bg-held",
  quiet: "rounded-full border-2 border-control",
};

interface TileProps {
  href: string;
  name: string;
  /** Undefined while loading. */
  found: { tone: Tone; text: string; note?: ReactNode } | undefined;
}

function Tile({ href, name, found }: TileProps) {
  const tone = found?.tone ?? "quiet";
  return (
    <Link
      href={href}
      className={cn(
        "relative grid min-h-22 content-start gap-0.5 bg-card px-4 py-3 transition-colors hover:bg-wash",
        tone === "alarm" &&
          "before:absolute before:inset-x-0 before:top-0 before:h-0.5 before:bg-bad",
      )}
    >
      <span
        className={cn(
          "flex items-center gap-2 pr-6 text-xs",
          tone === "alarm" ? "text-bad" : "text-muted",
        )}
      >
        <span aria-hidden className={cn("size-2 shrink-0", marks[tone])} />
        {name}
      </span>
      <ChevronRight aria-hidden className="absolute top-3 right-3 size-4 text-faint" />
      {found ? (
        <>
          <span className={cn("wrap-anywhere font-semibold", tone === "quiet" && "text-muted")}>
            {found.text}
          </span>
          <span className="wrap-anywhere text-muted text-sm">{found.note}</span>
        </>
      ) : (
        <>
          <Skeleton className="my-1 h-4 w-40" />
          <Skeleton className="my-1 h-3 w-28" />
        </>
      )}
    </Link>
  );
}

function AlarmTile({ overview, channels }: NeedTilesProps) {
  const listed = useListText();
  const t = useTranslations("operator.overview.needs");
  const format = useFormatter();
  const name = t("alarms");
  if (overview === undefined || channels === undefined)
    return <Tile href="/admin/channels" name={name} found={undefined} />;
  const failing = channels.filter(isFailing);
  const [first] = failing;
  const { unserved } = overview;
  if (unserved.length > 0) {
    const text = t("unserved", { count: unserved.length });
    const note = listed(unserved.map(({ model }) => model));
    return <Tile href="/admin/channels" name={name} found={{ tone: "alarm", text, note }} />;
  }
  if (first === undefined) {
    const few = channels.flatMap((each) => {
      const failures = fewFailures(each);
      return failures === null ? [] : [t("few", { name: each.name, ...failures })];
    });
    const note = few[0] ?? t("channels", { count: channels.length });
    return (
      <Tile
        href="/admin/channels"
        name={name}
        found={{ tone: "quiet", text: t("noAlarm"), note }}
      />
    );
  }
  const share = failedShare(first.health);
  const text =
    share === null
      ? t("coolingDown", { name: first.name })
      : t("failing", {
          name: first.name,
          share: format.number(share, { style: "percent", maximumFractionDigits: 0 }),
        });
  const { lastError } = first.health;
  const note = (
    <>
      {lastError ? <ErrorText text={lastError.text} /> : null}
      {lastError && failing.length > 1 ? " · " : null}
      {failing.length > 1 ? t("moreFailing", { count: failing.length - 1 }) : null}
    </>
  );
  return <Tile href="/admin/channels" name={name} found={{ tone: "alarm", text, note }} />;
}

type Needs = OperatorOverview["needs"];

function StuckTile({ needs }: { needs: Needs | undefined }) {
  const listed = useListText();
  const t = useTranslations("operator.overview.needs");
  const tile = { href: "/admin/tasks", name: t("stuck") };
  if (needs === undefined) return <Tile {...tile} found={undefined} />;
  const { tasks, nodes, files, held } = needs.stuck;
  const parts = [
    tasks > 0 ? t("stuckTasks", { count: tasks }) : null,
    nodes > 0 ? t("stuckNodes", { count: nodes }) : null,
    files > 0 ? t("stuckFiles", { count: files }) : null,
  ].filter((part) => part !== null);
  if (parts.length === 0)
    return <Tile {...tile} found={{ tone: "quiet", text: t("noStuck"), note: t("noStuckNote") }} />;
  const note = t.rich("stuckHeld", {
    points: () => <PointsText value={held} className="text-held-ink" />,
  });
  return <Tile {...tile} found={{ tone: "open", text: listed(parts), note }} />;
}

function PaymentsTile({ needs }: { needs: Needs | undefined }) {
  const listed = useListText();
  const t = useTranslations("operator.overview.needs");
  const why = useTranslations("operator.payments.why");
  const tile = { href: "/admin/packages?payments=open#all-payments", name: t("payments") };
  if (needs === undefined) return <Tile {...tile} found={undefined} />;
  const count = needs.payments.reduce((sum, each) => sum + each.count, 0);
  if (count === 0)
    return (
      <Tile {...tile} found={{ tone: "quiet", text: t("noPayments"), note: t("noPaymentsNote") }} />
    );
  const note = listed(needs.payments.map((each) => why(each.why as "refunded")));
  return <Tile {...tile} found={{ tone: "open", text: t("paymentsOpen", { count }), note }} />;
}

function LedgerTile({ needs }: { needs: Needs | undefined }) {
  const t = useTranslations("operator.overview.needs");
  const locale = useLocale();
  const now = useNow();
  const tile = { href: "/admin/money", name: t("ledger") };
  if (needs === undefined) return <Tile {...tile} found={undefined} />;
  const { audit, seals } = needs;
  if (audit === null)
    return <Tile {...tile} found={{ tone: "quiet", text: t("noAudit"), note: t("noAuditNote") }} />;
  const time = relativeTime(audit.at, now, locale);
  const note =
    seals.day === null
      ? t("audited", { time })
      : t("sealed", { time, day: dayName(seals.day, locale) });
  if (audit.isClean && seals.isBehind)
    return <Tile {...tile} found={{ tone: "open", text: t("sealsBehind"), note }} />;
  if (audit.isClean) return <Tile {...tile} found={{ tone: "quiet", text: t("clean"), note }} />;
  return (
    <Tile {...tile} found={{ tone: "alarm", text: t("broken", { count: audit.broken }), note }} />
  );
}
