import { useTranslations } from "next-intl";
import { FilterChoice } from "@/components/lists/filter-choice";
import { knownModels, type Model } from "@/lib/catalog/models";
import { useKeys } from "@/lib/client/api-keys";
import { useMembers } from "@/lib/client/members";
import { dialects } from "@/lib/contract/states";

interface ChoiceProps {
  value: string | null | undefined;
}

/** The filter by model. `of`: the models to choose from. */
export function ModelChoice({
  value,
  of = knownModels(),
}: ChoiceProps & { of?: readonly Model[] }) {
  const t = useTranslations("usage.filter");
  return (
    <FilterChoice
      label={t("model")}
      name="model"
      value={value}
      any={t("allModels")}
      options={of.map(({ id }) => ({ value: id, label: id }))}
    />
  );
}

/** The filter by the API that a request spoke instead of its family's own. */
export function DialectChoice({ value }: ChoiceProps) {
  const t = useTranslations("usage.filter");
  const details = useTranslations("usage.detail");
  return (
    <FilterChoice
      label={details("dialect")}
      name="dialect"
      value={value}
      any={t("allDialects")}
      options={dialects.map((each) => ({ value: each, label: details(each) }))}
    />
  );
}

/** The filter by API key. `none` selects requests from pages. */
export function KeyChoice({ value }: ChoiceProps) {
  const t = useTranslations("usage.filter");
  const keys = useKeys().data?.keys ?? [];
  const options = [
    { value: "none", label: t("noKey") },
    ...keys.map(({ id, name, hint }) => ({ value: id, label: `${name} (${hint.slice(-5)})` })),
  ];
  // A key that is not in the list, such as one from an old link.
  if (value && !options.some((option) => option.value === value))
    options.push({ value, label: value });
  return (
    <FilterChoice label={t("key")} name="key" value={value} any={t("allKeys")} options={options} />
  );
}

/** The filter by member; nothing where the account has one. */
export function MemberChoice({ value }: ChoiceProps) {
  const t = useTranslations("usage.filter");
  const members = useMembers().data?.members ?? [];
  const options = members.map(({ id, email }) => ({ value: id, label: email }));
  // Somebody who left, from an old link.
  if (value && !options.some((option) => option.value === value))
    options.push({ value, label: value });
  if (options.length < 2) return null;
  return (
    <FilterChoice
      label={t("member")}
      name="member"
      value={value}
      any={t("allMembers")}
      options={options}
    />
  );
}
