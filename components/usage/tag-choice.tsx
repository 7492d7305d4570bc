import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { FilterChoice } from "@/components/lists/filter-choice";
import { Options, Select } from "@/components/ui/input";
import { useTags } from "@/lib/client/tags";
import { tagText } from "@/lib/contract/tags";

/** Of each name; the typed filter takes any other. */
const VALUES_SHOWN = 50;

/** The filter by tag; nothing where this month has none and none is chosen. */
export function TagChoice({ value }: { value: string | undefined }) {
  const t = useTranslations("usage.filter");
  const tags = useTags().data?.tags ?? [];
  const options = tags.flatMap(({ name, values, valueCount }) => [
    ...values.slice(0, VALUES_SHOWN).map((each) => {
      const text = tagText({ [name]: each });
      return { value: text, label: text };
    }),
    { value: tagText({ [name]: "" }), label: t("withoutTag", { name }) },
    ...(valueCount > VALUES_SHOWN
      ? [
          {
            value: `${name}…`,
            label: t("moreTags", { name, count: valueCount - VALUES_SHOWN }),
            isDisabled: true,
          },
        ]
      : []),
  ]);
  if (value !== undefined && !options.some((option) => option.value === value))
    options.push({ value, label: value });
  if (options.length === 0) return null;
  return (
    <FilterChoice label={t("tag")} name="tag" value={value} any={t("allTags")} options={options} />
  );
}

/** The name of the tag by which the chart is divided. */
export function TagNameChoice({ value }: { value: string | undefined }) {
  const t = useTranslations("usage.filter");
  const names = (useTags().data?.tags ?? []).map(({ name }) => name);
  if (value !== undefined && !names.includes(value)) names.push(value);
  return (
    <span className="w-36">
      <Select
        aria-label={t("tagName")}
        value={value ?? ""}
        onChange={(event) => changeAddress({ by: event.target.value })}
      >
        <Options of={names} />
      </Select>
    </span>
  );
}
