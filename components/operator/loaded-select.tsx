"use client";

import type { ComponentProps } from "react";
import { SelectField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { useOperatorFailureText } from "./operator-failure";

interface Named {
  readonly id: string;
  readonly name: string;
}

interface LoadedSelectProps extends ComponentProps<typeof SelectField> {
  /** What loads the options. */
  query: { readonly isPending: boolean; readonly error: Error | null };
  /** What can be chosen; those that are known already while the query loads. */
  of: readonly Named[];
  /** The name of choosing none of them. */
  none: string;
}

/** A select of what a query loads: it waits for it, and says why nothing can be chosen. */
export function LoadedSelect({ query, of, none, error, ...field }: LoadedSelectProps) {
  const failureText = useOperatorFailureText();
  const failed = query.error && of.length === 0 ? failureText(query.error) : undefined;
  return (
    <SelectField {...field} error={error ?? failed} aria-busy={query.isPending}>
      <option value="">{none}</option>
      <Options of={of} />
    </SelectField>
  );
}
