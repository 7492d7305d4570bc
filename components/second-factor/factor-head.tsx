import type { ReactNode } from "react";

interface FactorHeadProps {
  title: string;
  state?: string;
  action?: ReactNode;
  children?: ReactNode;
}

/** One kind of factor: its name, its state, what can be done, and what belongs to it. */
export function FactorHead({ title, state, action, children }: FactorHeadProps) {
  return (
    <div className="grid min-w-0 gap-3 border-line border-b pb-4 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-medium text-sm">{title}</h3>
          {state ? <p className="text-muted text-sm">{state}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}
