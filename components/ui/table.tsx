import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";

/*
 * A table that becomes cards where its container is narrow. Display styles other than a table's
 * hide its meaning from screen readers, so every part sets its role.
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
    <div className={cn("@container/table", className)}>
      <table role="table" aria-labelledby={labelledBy} className="block w-full @2xl/table:table">
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="sr-only @2xl/table:not-sr-only @2xl/table:table-header-group">
      <tr role="row" className="@2xl/table:table-row">
        {children}
      </tr>
    </thead>
  );
}

/** The widths (classes) of the columns of a table with a fixed layout; hidden until `className` shows them. */
export function ColumnWidths({ of, className }: { of: readonly string[]; className: string }) {
  return (
    <colgroup className={cn("hidden", className)}>
      {of.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
        <col key={at} className={width} />
      ))}
    </colgroup>
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
    <tbody role="rowgroup" className="block @2xl/table:table-row-group">
      {children}
    </tbody>
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      role="row"
      className={cn(
        "block border-b px-5 py-3.5 last:border-b-0 @2xl/table:table-row @2xl/table:border-b-0 @2xl/table:p-0",
        className,
      )}
      {...rest}
    />
  );
}

type CellProps = ComponentProps<"td"> & {
  isNumber?: boolean;
  /** Names the value in a card, where the column heads are hidden. */
  label?: string;
};

export function Cell({ isNumber, label, className, children, ...rest }: CellProps) {
  return (
    <td
      role="cell"
      className={cn(
        "block align-middle @2xl/table:table-cell @2xl/table:border-b @2xl/table:px-4 @2xl/table:py-3 @2xl/table:first:pl-5 @2xl/table:last:pr-5 @2xl/table:[tr:last-child>&]:border-b-0",
        label &&
          "@max-2xl/table:flex @max-2xl/table:items-baseline @max-2xl/table:justify-between @max-2xl/table:gap-4 @max-2xl/table:py-0.5",
        isNumber && "num @2xl/table:text-right",
        className,
      )}
      {...rest}
    >
      {label ? (
        <span
          aria-hidden
          className="shrink-0 font-sans text-muted text-sm tracking-normal @2xl/table:hidden"
        >
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
    <tr role="row" className="block border-b bg-wash/60 @2xl/table:table-row">
      <th
        role="rowheader"
        scope="rowgroup"
        colSpan={columns}
        className="block px-5 py-2 text-left @2xl/table:table-cell @2xl/table:border-b"
      >
        {children}
      </th>
    </tr>
  );
}
