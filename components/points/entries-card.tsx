import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { FilterChoice } from "@/components/lists/filter-choice";
import { EntriesList } from "@/components/requests/entries-list";
import {
  DialectChoice,
  KeyChoice,
  MemberChoice,
  ModelChoice,
} from "@/components/requests/filter-choices";
import { addDays, todayIn } from "@/lib/client/days";
import { useEntries } from "@/lib/client/entries";
import { useMay } from "@/lib/client/shown-account";
import { useUsage } from "@/lib/client/usage";
import { dialects, type HistoryKind, historyKinds, holdStates } from "@/lib/contract/states";
import { RANGE_DAYS_MAX } from "@/lib/contract/usage-filter";

const noFilter = { model: null, key: null, member: null, status: null, dialect: null };

/** The filters of requests in the page's URL, and whether one is set. */
function useRequestFilter() {
  const search = useSearchParams();
  const readsUsage = useMay("readUsage");
  const today = todayIn("UTC", Date.now());
  const filter = {
    model: search.get("model") ?? undefined,
    key: search.get("key") ?? undefined,
    member: search.get("member") ?? undefined,
    status: holdStates.find((each) => each === search.get("status")),
    dialect: dialects.find((each) => each === search.get("dialect")),
  };
  const isSet = readsUsage && Object.values(filter).some((value) => value !== undefined);
  return { ...filter, isSet, from: addDays(today, 1 - RANGE_DAYS_MAX), to: today };
}

/** The requests of a filter, in the form of entries. */
function useFiltered({ isSet, ...filter }: ReturnType<typeof useRequestFilter>) {
  const { data, ...query } = useUsage(isSet ? filter : null);
  const pages = data?.pages.map(({ requests, archived }) => ({ entries: requests, archived }));
  return { ...query, data: pages && { pages } };
}

/**
 * The account's history. The filters are kept in the URL, so that they can be shared and the back
 * button works. A filter of requests leaves out the credits, which it says nothing about.
 */
export function EntriesCard() {
  const search = useSearchParams();
  const chosen = historyKinds.find((each) => each === search.get("kind")) ?? "all";
  const filter = useRequestFilter();
  const isFiltered = filter.isSet && chosen !== "credits";
  const kind = isFiltered ? "requests" : chosen;
  const all = useEntries(isFiltered ? null : kind);
  const filtered = useFiltered({ ...filter, isSet: isFiltered });
  const choose = (next: HistoryKind) =>
    changeAddress({
      kind: next === "all" ? null : next,
      ...(next !== "requests" && noFilter),
    });
  return (
    <EntriesList
      id="entries"
      className="mt-3.5"
      query={isFiltered ? filtered : all}
      kind={kind}
      onKind={choose}
      isFiltered={isFiltered}
      filters={useMay("readUsage") && chosen !== "credits" ? <Filters of={filter} /> : null}
    />
  );
}

function Filters({ of }: { of: ReturnType<typeof useRequestFilter> }) {
  const t = useTranslations("usage.filter");
  return (
    <div className="flex flex-wrap gap-2.5 border-t px-4 py-3">
      <ModelChoice value={of.model} />
      <KeyChoice value={of.key} />
      <FilterChoice
        label={t("status")}
        name="status"
        value={of.status}
        any={t("allStatuses")}
        options={holdStates.map((value) => ({ value, label: t(`statuses.${value}`) }))}
      />
      <DialectChoice value={of.dialect} />
      <MemberChoice value={of.member} />
    </div>
  );
}
