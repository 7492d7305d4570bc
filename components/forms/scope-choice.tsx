import { useId } from "react";
import { FieldError } from "@/components/ui/field";

interface ScopeChoiceProps<Scope extends string> {
  legend: string;
  all: readonly Scope[];
  nameOf: (scope: Scope) => string;
  scopes: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error: string | undefined;
}

/** What a key may do: at least one of the scopes. */
export function ScopeChoice<Scope extends string>(props: ScopeChoiceProps<Scope>) {
  const { legend, all, nameOf, scopes, onChange, error } = props;
  const errorId = useId();
  const toggle = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]);
  return (
    <fieldset aria-describedby={error && errorId} className="grid gap-1">
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      {all.map((scope) => (
        <label key={scope} className="flex items-baseline gap-2.5 py-1">
          <input
            type="checkbox"
            className="size-4 shrink-0 translate-y-0.5 accent-(--ink)"
            checked={scopes.includes(scope)}
            onChange={() => toggle(scope)}
          />
          <span className="flex-1">{nameOf(scope)}</span>
          <code className="text-muted text-sm">{scope}</code>
        </label>
      ))}
      <FieldError id={errorId} text={error} />
    </fieldset>
  );
}
