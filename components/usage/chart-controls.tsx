import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { Options, Select } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { useTags } from "@/lib/client/tags";
import { type ChartGrouping, chartGroups } from "@/lib/contract/states";
import { type Measure, measures } from "./chart-measures";
import { TagNameChoice } from "./tag-choice";
import type { UsageAddress } from "./use-usage-filter";

/** What the chart measures, and by what it is divided, once or twice. */
export function ChartControls({ address }: { address: UsageAddress | null }) {
  const t = useTranslations("charts");
  const usage = useTranslations("usage");
  const group = address?.group ?? "model";
  const firstTag = useTags().data?.tags[0]?.name;
  const tag = address?.groupTag ?? firstTag;
  const groups = chartGroups.filter((each) => tag !== undefined || each !== "tag");
  const isByTag = (by: { group?: string; thenBy?: string | undefined }) =>
    (by.group ?? group) === "tag" || by.thenBy === "tag";
  const chooseGroup = (next: ChartGrouping) => {
    const thenBy = address?.thenBy === next ? undefined : address?.thenBy;
    changeAddress({
      group: next === "model" ? null : next,
      and: thenBy ?? null,
      by: isByTag({ group: next, thenBy }) ? (tag ?? null) : null,
    });
  };
  const chooseSecond = (next: string) =>
    changeAddress({
      and: next === "" ? null : next,
      by: isByTag({ thenBy: next }) ? (tag ?? null) : null,
    });
  return (
    <>
      <Segmented
        label={usage("groupBy")}
        value={group}
        onChange={chooseGroup}
        options={groups.map((value) => ({ value, label: t(`groups.${value}`) }))}
      />
      <span className="w-36">
        <Select
          aria-label={t("thenBy")}
          value={address?.thenBy ?? ""}
          onChange={({ target }) => chooseSecond(target.value)}
        >
          <option value="">{t("onlyOne")}</option>
          {groups
            .filter((each) => each !== group)
            .map((each) => (
              <option key={each} value={each}>
                {t("andBy", { group: t(`groups.${each}`) })}
              </option>
            ))}
        </Select>
      </span>
      {address?.groupTag === undefined ? null : <TagNameChoice value={address.groupTag} />}
      <MeasureChoice measure={address?.measure ?? "points"} />
    </>
  );
}

function MeasureChoice({ measure }: { measure: Measure }) {
  const t = useTranslations("charts");
  const choose = (next: string) => changeAddress({ measure: next === "points" ? null : next });
  return (
    <>
      <Segmented
        label={t("measure")}
        className="max-lg:hidden"
        value={measure}
        onChange={choose}
        options={measures.map((value) => ({ value, label: t(`measures.${value}`) }))}
      />
      <span className="w-36 lg:hidden">
        <Select
          aria-label={t("measure")}
          value={measure}
          onChange={(event) => choose(event.target.value)}
        >
          <Options of={measures} name={(value) => t(`measures.${value}`)} />
        </Select>
      </span>
    </>
  );
}
