"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { FieldError } from "@/components/ui/field";
import { type OperatorScope, operatorScopes } from "@/lib/contract/states";

interface ScopesProps {
  scopes: readonly OperatorScope[];
  onChange: (scopes: OperatorScope[]) => void;
  error: string | undefined;
}

/** What the key may do: at least one of the scopes. */
export function OperatorScopes({ scopes, onChange, error }: ScopesProps) {
  const t = useTranslations("operator.keys");
  const errorId = useId();
  const toggle = (scope: OperatorScope) =>
    onChange(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <fieldset aria-describedby={error && errorId} className="grid gap-1">
      <legend className="mb-1 font-medium text-sm">{t("scopes")}</legend>
      {operatorScopes.map((scope) => (
        <label key={scope} className="flex items-baseline gap-2.5 py-1">
          <input
            type="checkbox"
            className="size-4 shrink-0 translate-y-0.5 accent-(--ink)"
            checked={scopes.includes(scope)}
            onChange={() => toggle(scope)}
          />
          <span className="flex-1">{t(`scopeNames.${scope}`)}</span>
          <code className="text-muted text-sm">{scope}</code>
        </label>
      ))}
      <FieldError id={errorId} text={error} />
    </fieldset>
  );
}
