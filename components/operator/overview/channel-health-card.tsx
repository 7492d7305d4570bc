import { useFormatter, useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { Card, PartHead } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { useDurationText } from "@/components/ui/duration-text";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import {
  Cell,
  ColumnHead,
  NumberHead,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { useListText } from "@/components/ui/use-list-text";
import { useSorted } from "@/components/ui/use-sorted";
import { findModel } from "@/lib/catalog/models";
import { isFailing } from "@/lib/client/operator-channel-alarms";
import type { OperatorOverview } from "@/lib/contract/operator";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { channelValues, successOf } from "../channels/channel-values";

const SHOWN_MAX = 12;
const HALF_HOURS = 48;
type Slots = OperatorOverview["health"][number]["slots"];

interface ChannelHealthCardProps {
  channels: readonly ChannelView[] | undefined;
  health: OperatorOverview["health"] | undefined;
}

/** Channels with their attempts of the last 24 hours: first those that fail, then as they are tried. */
export function ChannelHealthCard({ channels, health }: ChannelHealthCardProps) {
  const t = useTranslations("operator.overview.channels");
  const titles = useTranslations("operator.channels");
  const failingFirst = channels?.toSorted((a, b) => Number(isFailing(b)) - Number(isFailing(a)));
  const { rows, sort } = useSorted(failingFirst?.slice(0, SHOWN_MAX) ?? [], channelValues);
  const slotsOf = new Map(health?.map(({ channelId, slots }) => [channelId, slots]));
  return (
    <Card aria-labelledby="health" className="min-h-50 min-w-0">
      <PartHead
        id="health"
        title={titles("title")}
        href="/admin/channels"
        all={t("all")}
        className="px-5 pt-4 pb-1"
      />
      {channels === undefined ? <Skeleton className="mx-5 my-3 h-28" /> : null}
      {channels?.length === 0 ? (
        <p className="px-5 py-8 text-center text-muted text-sm">{titles("empty")}</p>
      ) : null}
      {channels && channels.length > 0 ? (
        <Table labelledBy="health">
          <TableHead>
            <ColumnHead {...sort("name")}>{titles("channel")}</ColumnHead>
            <ColumnHead {...sort("model")}>{t("models")}</ColumnHead>
            <ColumnHead>{t("health")}</ColumnHead>
            <NumberHead {...sort("hours24")}>{t("success")}</NumberHead>
            <NumberHead {...sort("p95")}>{t("p95")}</NumberHead>
            <ColumnHead {...sort("state")}>{t("state")}</ColumnHead>
          </TableHead>
          <TableBody>
            {rows.map((channel) => (
              <HealthRow key={channel.id} channel={channel} slots={slotsOf.get(channel.id) ?? []} />
            ))}
          </TableBody>
        </Table>
      ) : null}
    </Card>
  );
}

function HealthRow({ channel, slots }: { channel: ChannelView; slots: Slots }) {
  const t = useTranslations("operator.overview.channels");
  const format = useFormatter();
  const durationText = useDurationText();
  const success = successOf(channel.health.last24Hours);
  const share = success === null ? null : Math.floor(success * 1000) / 1000;
  const { latency95Ms } = channel.health;
  return (
    <Row>
      <Cell className="font-medium text-sm cards:wrap-anywhere rows:max-w-44 rows:truncate rows:py-2">
        <Link
          href={`/admin/requests?channel=${channel.id}`}
          prefetch={false}
          className="rounded-sm underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {channel.name}
        </Link>
      </Cell>
      <Cell className="text-sm rows:max-w-48 rows:py-2">
        <ModelNames models={Object.keys(channel.models)} />
      </Cell>
      <Cell className="cards:py-1.5 rows:py-2">
        <HealthBars slots={slots} />
      </Cell>
      <Cell isNumber label={t("success")} className="text-sm rows:py-2">
        <span className={share !== null && share < 0.95 ? "font-medium text-bad" : ""}>
          {share === null
            ? "–"
            : format.number(share, { style: "percent", maximumFractionDigits: 1 })}
        </span>
      </Cell>
      <Cell isNumber label={t("p95")} className="whitespace-nowrap text-sm rows:py-2">
        {latency95Ms === null ? "–" : durationText(latency95Ms)}
      </Cell>
      <Cell label={t("state")} className="whitespace-nowrap text-sm rows:py-2">
        <ChannelState channel={channel} />
      </Cell>
    </Row>
  );
}

function ModelNames({ models }: { models: readonly string[] }) {
  const listed = useListText();
  const t = useTranslations("ui");
  const [first] = models;
  if (first === undefined) return null;
  const family = findModel(first)?.family;
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5" title={listed(models)}>
      {family ? <FamilyTag family={family}>{first}</FamilyTag> : first}
      {models.length > 1 ? (
        <span className="text-muted text-xs">{t("andMore", { count: models.length - 1 })}</span>
      ) : null}
    </span>
  );
}

/** A state is a shape in ink; red is for failures alone. */
function ChannelState({ channel }: { channel: ChannelView }) {
  const t = useTranslations("operator.overview.channels");
  const isBad = isFailing(channel);
  const name = isBad ? "failing" : channel.state;
  const shapes = {
    failing: "rounded-[1px] border-bad bg-bad",
    active: "rounded-full border-ink bg-ink",
    draining: "rounded-full border-ink bg-[linear-gradient(90deg,var(--ink)_50%,transparent_50%)]",
    disabled: "rounded-full border-ink",
  };
  return (
    <span className={cn("inline-flex items-center gap-2", isBad && "font-medium text-bad")}>
      <span aria-hidden className={cn("size-2 shrink-0 border-2", shapes[name])} />
      {t(`states.${name}`)}
    </span>
  );
}

const WIDTH = 3;
const HEIGHT = 16;
const BAD_SHARE = 0.2;

/** A bar for each half hour: as high as its attempts are many, red where many of them failed. */
function HealthBars({ slots }: { slots: Slots }) {
  const t = useTranslations("operator.overview.channels");
  const known = new Map(slots.map((each) => [each.slot, each]));
  const most = Math.max(1, ...slots.map(({ succeeded, failed }) => succeeded + failed));
  const failed = slots.reduce((sum, each) => sum + each.failed, 0);
  const all = slots.reduce((sum, each) => sum + each.succeeded, failed);
  return (
    <svg
      role="img"
      aria-label={t("attempts", { count: all, failed })}
      viewBox={`0 0 ${HALF_HOURS * WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-4 w-full min-w-24"
    >
      {Array.from({ length: HALF_HOURS }, (_, slot) => {
        const each = known.get(slot);
        const count = each ? each.succeeded + each.failed : 0;
        const share = each && count > 0 ? each.failed / count : 0;
        const height = count === 0 ? 1 : 4 + (count / most) * (HEIGHT - 4);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the half hour
            key={slot}
            x={slot * WIDTH}
            y={HEIGHT - height}
            width={WIDTH - 1}
            height={height}
            className={
              share >= BAD_SHARE
                ? "fill-bad"
                : share > 0
                  ? "fill-bad/50"
                  : count > 0
                    ? "fill-ink/30"
                    : "fill-line"
            }
          />
        );
      })}
    </svg>
  );
}
