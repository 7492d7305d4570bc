import type { ReactNode } from "react";
import { changeAddress } from "@/components/lists/address";
import { SearchField } from "./search-field";

interface SearchRowProps {
  label: string;
  value: string;
  /** True: the list has pages by number, and a search begins at the first. */
  isPaged?: boolean;
  children: ReactNode;
}

/** The search of a list, which the URL keeps as `q`, and the list's other filters beside it. */
export function SearchRow({ label, value, isPaged = false, children }: SearchRowProps) {
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2.5">
      <SearchField
        key={value}
        label={label}
        value={value}
        onSearch={(text) =>
          changeAddress({ q: text === "" ? null : text, ...(isPaged && { page: null }) })
        }
      />
      {children}
    </div>
  );
}
