"use client";

import { useTranslations } from "next-intl";
import { Select } from "@/components/ui/input";
import { type Model, models } from "@/lib/catalog/models";
import { useKeys } from "@/lib/client/api-keys";
import { changeUsageAddress } from "./use-usage-filter";

interface ChoiceProps {
  label: string;
  /** Its name in the address. */
  name: "model" | "key" | "status" | "family";
  value: string | undefined;
  children: React.ReactNode;
}

/** One part of a filter; what is chosen stands in the address. */
export function Choice({ label, name, value, children }: ChoiceProps) {
  return (
    <span className="w-44 max-sm:w-[calc(50%-0.3125rem)]">
      <Select aria-label={label} value={value ?? ""} onChange={(event) => changeUsageAddress({ [name]: event.target.value || null })}>
        {children}
      </Select>
    </span>
  );
}

export function ModelChoice({ value, of = models }: { value: string | undefined; of?: readonly Model[] }) {
  const t = useTranslations("usage.filter");
  return (
    <Choice label={t("model")} name="model" value={value}>
      <option value="">{t("allModels")}</option>
      {of.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </Choice>
  );
}

export function KeyChoice({ value }: { value: string | undefined }) {
  const t = useTranslations("usage.filter");
  const keys = useKeys().data?.keys ?? [];
  const isListed = value === undefined || value === "none" || keys.some(({ id }) => id === value);
  return (
    <Choice label={t("key")} name="key" value={value}>
      <option value="">{t("allKeys")}</option>
      <option value="none">{t("noKey")}</option>
      {keys.map(({ id, name, hint }) => (
        <option key={id} value={id}>
          {`${name} (${hint.slice(-5)})`}
        </option>
      ))}
      {isListed ? null : <option value={value}>{value}</option>}
    </Choice>
  );
}
