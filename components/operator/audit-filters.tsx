import { X } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { changeAddress } from "@/components/lists/address";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/input";
import { auditActions } from "@/lib/contract/audit-actions";
import { EMAIL_LENGTH_MAX } from "@/lib/contract/limits";
import { useAuditNames } from "./audit-words";

export const auditFilterNames = ["actor", "action", "subject", "from", "to"] as const;
type Name = (typeof auditFilterNames)[number];

/** The filters of the audit log (actor, action, target, time), kept in the URL. */
export function AuditFilters() {
  const t = useTranslations("operator.audit");
  const search = useSearchParams();
  const given = (name: Name) => search.get(name) ?? "";
  const [values, setValues] = useState(() => ({
    actor: given("actor"),
    action: given("action"),
    subject: given("subject"),
    from: given("from"),
    to: given("to"),
  }));
  const isFiltered = auditFilterNames.some((name) => search.has(name));
  const change = (name: Name, value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  const apply = (event: FormEvent) => {
    event.preventDefault();
    changeAddress(
      Object.fromEntries(auditFilterNames.map((name) => [name, values[name].trim() || null])),
    );
  };
  return (
    <search className="mb-3.5 block">
      <form onSubmit={apply} className="flex flex-wrap items-end gap-2.5">
        {auditFilterNames.map((name) => (
          <div
            key={name}
            className="grid grid-cols-1 gap-1 text-xs max-sm:w-[calc(50%-0.3125rem)] max-[22rem]:w-full sm:w-40"
          >
            <label htmlFor={`audit-${name}`} className="text-muted">
              {t(`filter.${name}`)}
            </label>
            {name === "action" ? (
              <ActionChoice value={values.action} onChange={(value) => change("action", value)} />
            ) : (
              <Input
                id={`audit-${name}`}
                type={name === "from" || name === "to" ? "date" : "text"}
                value={values[name]}
                maxLength={EMAIL_LENGTH_MAX}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => change(name, event.target.value)}
              />
            )}
          </div>
        ))}
        <Button type="submit" className="h-10">
          {t("apply")}
        </Button>
        {isFiltered ? (
          <Button
            look="quiet"
            className="h-10"
            onClick={() =>
              changeAddress(Object.fromEntries(auditFilterNames.map((name) => [name, null])))
            }
          >
            <X aria-hidden />
            {t("clear")}
          </Button>
        ) : null}
      </form>
    </search>
  );
}

/** All actions by their names in words; also the start of one, from an old link. */
function ActionChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslations("operator.audit");
  const locale = useLocale();
  const names = useAuditNames();
  const isListed = value === "" || auditActions.some((each) => each === value);
  const options = auditActions
    .map((action) => ({ action, name: names.action(action) }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
  return (
    <Select id="audit-action" value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t("anyAction")}</option>
      {isListed ? null : <option value={value}>{value}</option>}
      {options.map(({ action, name }) => (
        <option key={action} value={action}>
          {name}
        </option>
      ))}
    </Select>
  );
}
