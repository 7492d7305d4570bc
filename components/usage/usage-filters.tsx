import { X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useId } from "react";
import { changeAddress } from "@/components/lists/address";
import { FilterChoice } from "@/components/lists/filter-choice";
import {
  DialectChoice,
  KeyChoice,
  MemberChoice,
  ModelChoice,
} from "@/components/requests/filter-choices";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { dayName } from "@/lib/client/days";
import { holdStates } from "@/lib/contract/states";
import { TagChoice } from "./tag-choice";
import { type Range, rangeDays, type UsageAddress } from "./use-usage-filter";

const ranges = [...rangeDays, "own"] as const;
const choices = [
  "model",
  "key",
  "member",
  "status",
  "dialect",
  "tag",
  "pointsMin",
  "pointsMax",
] as const;

/** The filters of the usage page (time, zone, model, key, outcome, dialect), kept in the URL. */
export function UsageFilters({ address }: { address: UsageAddress | null }) {
  return (
    <div className="mb-3.5 grid min-h-22.5 content-start gap-2.5 max-lg:min-h-34.5 max-sm:min-h-46.5">
      {address ? <Filters address={address} /> : <Skeleton className="h-9.5 w-full max-w-lg" />}
    </div>
  );
}

function Filters({ address }: { address: UsageAddress }) {
  const t = useTranslations("usage.filter");
  const { filter, range, ownZone } = address;
  const isFiltered = choices.some((name) => filter[name] !== undefined);
  const chooseRange = (next: Range) =>
    changeAddress(
      next === "own"
        ? { from: filter.from, to: filter.to, days: null, day: null }
        : { days: next === "7" ? null : next, from: null, to: null, day: null },
    );
  const zones = [...new Set(["UTC", ownZone, filter.zone ?? "UTC"])];
  return (
    <>
      <div className="flex flex-wrap items-center gap-2.5">
        <Segmented
          label={t("range")}
          value={range}
          onChange={chooseRange}
          options={ranges.map((value) => ({
            value,
            label: value === "own" ? t("own") : t("days", { count: Number(value) }),
          }))}
        />
        {range === "own" ? <OwnRange address={address} /> : null}
        {zones.length > 1 ? (
          <Segmented
            label={t("zone")}
            value={filter.zone ?? "UTC"}
            onChange={(zone) => changeAddress({ zone: zone === "UTC" ? null : zone })}
            options={zones.map((value) => ({ value, label: value }))}
          />
        ) : (
          <span className="text-muted text-sm">{t("daysIn", { zone: "UTC" })}</span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2.5">
        <ModelChoice value={filter.model} />
        <KeyChoice value={filter.key} />
        <FilterChoice
          label={t("status")}
          name="status"
          value={filter.status}
          any={t("allStatuses")}
          options={holdStates.map((value) => ({ value, label: t(`statuses.${value}`) }))}
        />
        <DialectChoice value={filter.dialect} />
        <MemberChoice value={filter.member} />
        <TagChoice value={filter.tag} />
        {address.day ? <ChosenDay day={address.day} /> : null}
        {isFiltered ? (
          <Button
            look="quiet"
            onClick={() => changeAddress(Object.fromEntries(choices.map((name) => [name, null])))}
          >
            <X aria-hidden />
            {t("clear")}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function ChosenDay({ day }: { day: string }) {
  const t = useTranslations("charts");
  const name = dayName(day, useLocale(), true);
  return (
    <Button
      aria-label={t("allDays", { day: name })}
      className="border-ink"
      onClick={() => changeAddress({ day: null })}
    >
      <X aria-hidden />
      {name}
    </Button>
  );
}

function OwnRange({ address }: { address: UsageAddress }) {
  const t = useTranslations("usage.filter");
  const id = useId();
  const { from, to } = address.filter;
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={`${id}-from`} className="sr-only">
        {t("from")}
      </label>
      <Input
        id={`${id}-from`}
        type="date"
        className="num w-38"
        value={from}
        max={to}
        onChange={(event) => event.target.value && changeAddress({ from: event.target.value })}
      />
      <span aria-hidden className="text-muted">
        –
      </span>
      <label htmlFor={`${id}-to`} className="sr-only">
        {t("to")}
      </label>
      <Input
        id={`${id}-to`}
        type="date"
        className="num w-38"
        value={to}
        min={from}
        onChange={(event) => event.target.value && changeAddress({ to: event.target.value })}
      />
    </span>
  );
}
