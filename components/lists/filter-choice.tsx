import { Select } from "@/components/ui/input";
import { changeAddress } from "./address";

interface FilterChoiceProps {
  label: string;
  /** The filter's parameter in the URL. */
  name: string;
  value: string | null | undefined;
  options: readonly { readonly value: string; readonly label: string }[];
  /** The label of the choice without a filter. */
  any: string;
}

/** One filter of a list, kept in the URL. */
export function FilterChoice({ label, name, value, options, any }: FilterChoiceProps) {
  return (
    <span className="min-w-34 max-w-44 flex-1 basis-34 max-sm:max-w-none max-sm:flex-none max-sm:basis-[calc(50%-0.3125rem)]">
      <Select
        aria-label={label}
        value={value ?? ""}
        onChange={(event) => changeAddress({ [name]: event.target.value || null })}
      >
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
