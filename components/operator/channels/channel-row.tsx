import { TriangleAlert } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { ErrorText } from "@/components/requests/error-text";
import { cn } from "@/components/ui/class-names";
import { useDurationText } from "@/components/ui/duration-text";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, NumberCell, Row } from "@/components/ui/table";
import { useListText } from "@/components/ui/use-list-text";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { BalanceLines } from "./balance-lines";
import { ChannelMenu } from "./channel-menu";
import { ProfileLine } from "./profile-line";

type Attempts = ChannelView["health"]["last15Minutes"];

const NAMES_SHOWN = 3;
const tones = { active: "ok", draining: "held", disabled: "plain" } as const;

export function ChannelRow({ channel }: { channel: ChannelView }) {
  const t = useTranslations("operator.channels");
  const durationText = useDurationText();
  const { health } = channel;
  const { latencyMedianMs, latency95Ms } = health;
  return (
    <Row className="relative">
      <Cell className="cards:pr-12 cards:pb-2 rows:max-w-96">
        <Identity channel={channel} />
      </Cell>
      <NumberCell label={t("minutes15")}>
        <Success attempts={health.last15Minutes} />
      </NumberCell>
      <NumberCell label={t("hours24")}>
        <Success attempts={health.last24Hours} />
      </NumberCell>
      <Cell isNumber label={t("latency")} className="whitespace-nowrap">
        {latencyMedianMs === null || latency95Ms === null ? (
          <Nothing />
        ) : (
          <span className="text-right" title={t("latencyNote")}>
            {durationText(latencyMedianMs)}
            <span className="block text-muted text-xs">{durationText(latency95Ms)}</span>
          </span>
        )}
      </Cell>
      <Cell isNumber label={t("running")} className="whitespace-nowrap">
        <span className="text-right">
          {health.inFlight}
          {health.openTasks > 0 ? (
            <span className="block text-muted text-xs">
              {t("openTasks", { count: health.openTasks })}
            </span>
          ) : null}
        </span>
      </Cell>
      <Cell isNumber label={t("order")} className="whitespace-nowrap">
        <span className="text-right">
          {channel.priority}
          <span className="block text-muted text-xs">
            {t("weightOf", { weight: channel.weight })}
          </span>
        </span>
      </Cell>
      <Cell className="cards:absolute cards:top-2 cards:right-3 rows:w-12 rows:text-right">
        <ChannelMenu channel={channel} />
      </Cell>
    </Row>
  );
}

function Identity({ channel }: { channel: ChannelView }) {
  const listed = useListText();
  const t = useTranslations("operator.channels");
  const ui = useTranslations("ui");
  const { state, health, drainingSince, credentialSetAt } = channel;
  const left = health.openTasks + health.inFlight;
  const names = Object.keys(channel.models);
  const more = names.length - NAMES_SHOWN;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium">{channel.name}</span>
        <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill>
        {channel.refusal === null ? null : <Pill tone="bad">{t("refused")}</Pill>}
        {state === "active" && health.cooldownUntil ? (
          <Pill tone="bad">{t("cooldown")}</Pill>
        ) : null}
      </span>
      <span className="wrap-anywhere mt-0.5 block text-muted text-sm">
        {t(`protocols.${channel.protocol}`)} · {new URL(channel.baseUrl).host}
      </span>
      <span className="block text-muted text-sm" title={listed(names)}>
        {listed(names.slice(0, NAMES_SHOWN))}
        {more > 0 ? ` ${ui("andMore", { count: more })}` : null}
      </span>
      {state === "draining" && drainingSince ? (
        <span className="block text-held-ink text-sm">
          {left === 0 ? t("drained") : t("drainingLeft", { count: left })}
        </span>
      ) : null}
      {credentialSetAt === null && channel.credentials.length === 0 ? (
        <span className="block text-muted text-sm">{t("noKey")}</span>
      ) : null}
      <CredentialsCoolingDown channel={channel} />
      {health.cachedShare === null ? null : (
        <span className="block text-muted text-sm" title={t("cachedNote")}>
          {t("cached", { share: health.cachedShare })}
        </span>
      )}
      <BalanceLines channelId={channel.id} />
      <ProfileLine channel={channel} />
      <LastError health={health} />
    </>
  );
}

/** Which of several credentials are in cooldown while the others go on. */
function CredentialsCoolingDown({ channel: { credentials, health } }: { channel: ChannelView }) {
  const listed = useListText();
  const t = useTranslations("operator.channels");
  if (credentials.length === 0 || health.coolingDown.length === 0) return null;
  const names = listed(health.coolingDown.map(({ name }) => name));
  return <span className="block text-held-ink text-sm">{t("credentialsRest", { names })}</span>;
}

/** An alarm only while the channel still fails. */
function LastError({ health }: { health: ChannelView["health"] }) {
  const t = useTranslations("operator.channels");
  const { lastError, last15Minutes, cooldownUntil } = health;
  if (lastError === null) return null;
  const isAlarm = cooldownUntil !== null || last15Minutes.failed > 0;
  return (
    <span className={cn("mt-1 flex gap-1.5 text-sm", isAlarm ? "text-bad" : "text-muted")}>
      {isAlarm ? <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" /> : null}
      <span className="wrap-anywhere min-w-0">
        <span className={isAlarm ? "sr-only" : undefined}>{t("lastError")} </span>
        <ErrorText text={lastError.text} /> <RelativeTime at={lastError.at} />
      </span>
    </span>
  );
}

const Nothing = () => <span className="text-muted">–</span>;

/**
 * The share of successes among the attempts that count for the channel's health, and their number.
 */
function Success({ attempts }: { attempts: Attempts }) {
  const t = useTranslations("operator.channels");
  const format = useFormatter();
  const { succeeded, failed, refused } = attempts;
  if (succeeded + failed + refused === 0) return <Nothing />;
  const counted = succeeded + failed;
  const share = counted === 0 ? null : Math.floor((succeeded / counted) * 1000) / 1000;
  return (
    <span
      className="whitespace-nowrap text-right"
      title={t("attempts", { succeeded, failed, refused })}
    >
      <span className={share !== null && share < 0.95 ? "font-medium text-bad" : ""}>
        {share === null
          ? "–"
          : format.number(share, { style: "percent", maximumFractionDigits: 1 })}
      </span>
      <span className="block text-muted text-xs">
        {t("requests", { count: counted + refused })}
      </span>
    </span>
  );
}
