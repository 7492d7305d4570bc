import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

/*
 * A table that becomes cards on a phone. Display styles other than a table's hide its meaning from
 * screen readers, so every part sets its role.
 */

export function Table({
  labelledBy,
  children,
  className,
}: {
  labelledBy: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <table
      role="table"
      aria-labelledby={labelledBy}
      className={cn("block w-full sm:table", className)}
    >
      {children}
    </table>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
      <tr role="row" className="sm:table-row">
        {children}
      </tr>
    </thead>
  );
}

export function ColumnHead({
  isNumber,
  className,
  ...rest
}: ComponentProps<"th"> & { isNumber?: boolean }) {
  return (
    <th
      role="columnheader"
      scope="col"
      className={cn(
        "border-b px-4 py-2.5 text-left font-medium text-muted text-xs first:pl-5 last:pr-5",
        isNumber && "text-right",
        className,
      )}
      {...rest}
    />
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="block sm:table-row-group">
      {children}
    </tbody>
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      role="row"
      className={cn(
        "block border-b px-5 py-3.5 last:border-b-0 sm:table-row sm:border-b-0 sm:p-0",
        className,
      )}
      {...rest}
    />
  );
}

type CellProps = ComponentProps<"td"> & {
  isNumber?: boolean;
  /** Names the value on a phone, where the column heads are hidden. */
  label?: string;
};

export function Cell({ isNumber, label, className, children, ...rest }: CellProps) {
  return (
    <td
      role="cell"
      className={cn(
        "block align-middle sm:table-cell sm:border-b sm:px-4 sm:py-3 sm:first:pl-5 sm:last:pr-5 sm:[tr:last-child>&]:border-b-0",
        label &&
          "max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:gap-4 max-sm:py-0.5",
        isNumber && "num sm:text-right",
        className,
      )}
      {...rest}
    >
      {label ? (
        <span aria-hidden className="font-sans text-muted text-sm tracking-normal sm:hidden">
          {label}
        </span>
      ) : null}
      {children}
    </td>
  );
}

/** A row across the table that names the rows below it. */
export function GroupRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr role="row" className="block border-b bg-wash/60 sm:table-row">
      <th
        role="rowheader"
        scope="rowgroup"
        colSpan={columns}
        className="block px-5 py-2 text-left sm:table-cell sm:border-b"
      >
        {children}
      </th>
    </tr>
  );
}
