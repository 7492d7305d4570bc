"use client";

import { Select } from "@/components/ui/input";
import { changeUsageAddress } from "@/components/usage/use-usage-filter";

interface FilterChoiceProps {
  label: string;
  /** Its name in the page's address. */
  name: string;
  value: string | null;
  options: readonly { readonly value: string; readonly label: string }[];
  /** What the choice of nothing says. */
  any: string;
}

/** One filter of a list, kept in the page's address. */
export function FilterChoice({ label, name, value, options, any }: FilterChoiceProps) {
  return (
    <span className="w-44 max-sm:w-[calc(50%-0.3125rem)]">
      <Select aria-label={label} value={value ?? ""} onChange={(event) => changeUsageAddress({ [name]: event.target.value || null })}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </span>
  );
}
