"use client";

import { RefreshCw, X } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { changeAddress, withParameter } from "@/components/lists/address";
import { DenseCard } from "@/components/lists/dense-card";
import { DrawerRoom } from "@/components/lists/drawer-room";
import { FilterChoice } from "@/components/lists/filter-choice";
import { useOpenRow } from "@/components/lists/use-open-row";
import { entryCells, entryValues, useEntryColumns } from "@/components/requests/entry-cells";
import { DialectChoice, ModelChoice } from "@/components/requests/filter-choices";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Segmented } from "@/components/ui/segmented";
import { useSorted } from "@/components/ui/use-sorted";
import { useHydrated } from "@/lib/client/hydrated";
import { useRequestLog } from "@/lib/client/operator-lists";
import type { LoggedRequest } from "@/lib/contract/operator-requests";
import { holdStates } from "@/lib/contract/states";
import { keysOf } from "@/lib/values/records";
import { AccountLink } from "./account-link";
import { LoggedRequestDialog } from "./logged-request-dialog";
import { causeOf } from "./request-attempts";
import { SearchField } from "./search-field";

const layout =
  "@[44rem]/dense:grid-cols-[6.25rem_9.25rem_minmax(0,0.8fr)_minmax(0,1.2fr)_2.25rem_7rem] @4xl/dense:grid-cols-[6.25rem_9.5rem_minmax(0,1.2fr)_minmax(0,0.8fr)_minmax(0,1.1fr)_5.25rem_2.25rem_7.25rem]";

const valuesOfLogged = {
  time: ({ entry }: LoggedRequest) => entryValues.time(entry),
  model: ({ entry }: LoggedRequest) => entryValues.model(entry),
  state: ({ entry }: LoggedRequest) => entryValues.state(entry),
  amount: ({ entry }: LoggedRequest) => entryValues.amount(entry),
};

const HOUR_MS = 3_600_000;
const ranges = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 31 * 24 * HOUR_MS,
} as const;
type Range = keyof typeof ranges;
const rangeNames = keysOf(ranges);

/** Opens what an id belongs to; its prefix says what that is. */
function lookFor(text: string): void {
  if (text === "") return;
  if (text.startsWith("acct_")) changeAddress({ account: text });
  else if (text.startsWith("ch_")) changeAddress({ channel: text });
  else changeAddress({ request: text });
}

/** What the page's URL asks for at a moment. */
function filterOf(search: URLSearchParams, now: number) {
  const range = rangeNames.find((name) => name === search.get("range")) ?? "day";
  const given = (name: string) => search.get(name) ?? undefined;
  const filter = {
    from: new Date(now - ranges[range]).toISOString(),
    to: new Date(now + HOUR_MS).toISOString(),
    model: given("model"),
    status: given("status"),
    account: given("account"),
    channel: given("channel"),
    dialect: given("dialect"),
  };
  return { range, filter };
}

export function RequestsView() {
  const t = useTranslations("operator.requests");
  const search = useSearchParams();
  const isHydrated = useHydrated();
  const [now, setNow] = useState(() => Date.now());
  const { range, filter } = filterOf(search, now);
  const query = useRequestLog(isHydrated ? filter : null);
  const { rows: requests, sort } = useSorted(
    query.data?.pages.flatMap((page) => page.requests) ?? [],
    valuesOfLogged,
    !query.hasNextPage,
  );
  const row = useOpenRow(
    "request",
    requests.map(({ entry }) => entry.id),
    query,
  );
  return (
    <>
      <DrawerRoom name="request" />
      <PageHead title={t("title")} note={t("note")}>
        <Button
          onClick={() => setNow(Date.now())}
          isBusy={query.isFetching && !query.isFetchingNextPage}
        >
          <RefreshCw aria-hidden />
          {t("refresh")}
        </Button>
      </PageHead>
      <div className="mb-3.5 grid gap-2.5">
        <SearchField key={row.id ?? ""} label={t("searchLabel")} value="" onSearch={lookFor} />
        <Filters range={range} first={requests[0]} />
      </div>
      <DenseCard
        id="requests"
        title={t("list")}
        isPageTitle
        note={t("listNote")}
        query={query}
        empty={t("empty")}
        columns={useEntryColumns(
          [
            { name: t("account"), place: "body" },
            { name: t("channel"), place: "widest" },
          ],
          sort,
        )}
        layout={layout}
        rows={requests.map(({ entry, account, channel, failure }) => ({
          id: entry.id,
          href: withParameter("/admin/requests", search, "request", entry.id),
          onOpen: () => row.open(entry.id),
          isOpen: row.id === entry.id,
          cells: entryCells(
            entry,
            [
              <span key="account" className="relative">
                <AccountLink {...account} />
              </span>,
              <ChannelLink key="channel" channel={channel} />,
            ],
            { cause: failure && causeOf(failure) },
          ),
        }))}
      />
      {row.id === null ? null : <LoggedRequestDialog id={row.id} row={row} />}
    </>
  );
}

/** `first`: a request of the list, which knows the names of what the list is narrowed to. */
function Filters({ range, first }: { range: Range; first: LoggedRequest | undefined }) {
  const t = useTranslations("operator.requests");
  const usage = useTranslations("usage.filter");
  const search = useSearchParams();
  const names = { account: first?.account.email, channel: first?.channel?.name };
  const chosen = keysOf(names).flatMap((name) => {
    const id = search.get(name);
    return id === null ? [] : [{ name, id, text: names[name] ?? id }];
  });
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <Segmented
        label={usage("range")}
        value={range}
        onChange={(next) => changeAddress({ range: next === "day" ? null : next })}
        options={rangeNames.map((value) => ({ value, label: t(`ranges.${value}`) }))}
      />
      <ModelChoice value={search.get("model")} />
      <FilterChoice
        label={usage("status")}
        name="status"
        value={search.get("status")}
        any={usage("allStatuses")}
        options={holdStates.map((value) => ({ value, label: usage(`statuses.${value}`) }))}
      />
      <DialectChoice value={search.get("dialect")} />
      {chosen.map(({ name, id, text }) => (
        <Button
          key={name}
          look="quiet"
          className="w-56 max-w-full justify-start"
          title={id}
          aria-label={t("without", { id: text })}
          onClick={() => changeAddress({ [name]: null })}
        >
          <X aria-hidden />
          <span className="truncate text-xs">{text}</span>
        </Button>
      ))}
    </div>
  );
}

/** Narrows the list to a channel. */
function ChannelLink({ channel }: Pick<LoggedRequest, "channel">) {
  const search = useSearchParams();
  if (channel === null) return null;
  return (
    <Link
      href={withParameter("/admin/requests", search, "channel", channel.id)}
      prefetch={false}
      scroll={false}
      className="relative rounded-sm text-muted hover:text-ink"
    >
      {channel.name ?? channel.id}
    </Link>
  );
}
