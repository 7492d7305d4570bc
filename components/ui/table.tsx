import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names";
import { SortButton } from "./sort-button";
import type { ColumnSort } from "./use-sorted";

/*
 * A table that becomes cards where its container is narrow. Display styles other than a table's
 * hide its meaning from screen readers, so every part sets its role.
 */

/** By the room that the columns need: a few, as most, or many, which stand closer together. */
const rooms = {
  few: { box: "[container-name:table_rows-28]", cells: "" },
  most: { box: "[container-name:table_rows-42]", cells: "" },
  many: {
    box: "[container-name:table_rows-46]",
    cells: "rows:[&_:is(td,th):not(:first-child):not(:last-child)]:px-2.5",
  },
};

interface TableProps {
  labelledBy: string;
  columns?: keyof typeof rooms | undefined;
  children: ReactNode;
  className?: string;
}

export function Table({ labelledBy, columns = "most", children, className }: TableProps) {
  const { box, cells } = rooms[columns];
  return (
    <div className={cn("@container", box, className)}>
      <table
        role="table"
        aria-labelledby={labelledBy}
        className={cn("block w-full rows:table", cells)}
      >
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="sr-only rows:not-sr-only rows:table-header-group">
      <tr role="row" className="rows:table-row">
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

/** With `sort`, which `useSorted` makes, it is a button where the table is in rows. */
export function ColumnHead({
  isNumber,
  sort,
  className,
  children,
  ...rest
}: ComponentProps<"th"> & { isNumber?: boolean; sort?: ColumnSort }) {
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sort ? (sort.direction ?? "none") : undefined}
      className={cn(
        "border-b px-4 py-2.5 text-left font-medium text-muted text-xs first:pl-5 last:pr-5",
        isNumber && "text-right",
        className,
      )}
      {...rest}
    >
      {sort ? (
        <SortButton sort={sort} isNumber={isNumber}>
          {children}
        </SortButton>
      ) : (
        children
      )}
    </th>
  );
}

export const NumberHead = (head: ComponentProps<typeof ColumnHead>) => (
  <ColumnHead isNumber {...head} />
);

/** Of a column that everyone sees the meaning of, such as its buttons. */
export const HiddenHead = ({ children }: { children: ReactNode }) => (
  <ColumnHead>
    <span className="sr-only">{children}</span>
  </ColumnHead>
);

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="block rows:table-row-group">
      {children}
    </tbody>
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return (
    <tr
      role="row"
      className={cn(
        "block border-b px-5 py-3.5 last:border-b-0 rows:table-row rows:border-b-0 rows:p-0",
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
        "block align-middle rows:table-cell rows:border-b rows:px-4 rows:py-3 rows:first:min-w-36 rows:first:pl-5 rows:last:pr-5 rows:[tr:last-child>&]:border-b-0",
        label &&
          "cards:flex cards:items-baseline cards:justify-between cards:gap-4 cards:py-0.5 cards:text-right",
        label && children === null && "cards:hidden",
        isNumber && "num rows:text-right",
        className,
      )}
      {...rest}
    >
      {label ? (
        <span
          aria-hidden
          className="whitespace-normal text-left font-sans text-muted text-sm tracking-normal rows:hidden"
        >
          {label}
        </span>
      ) : null}
      {children}
    </td>
  );
}

export const NumberCell = (cell: Omit<CellProps, "isNumber">) => <Cell isNumber {...cell} />;

/** A row across the table that names the rows below it. */
export function GroupRow({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr role="row" className="block border-b bg-wash/60 rows:table-row">
      <th
        role="rowheader"
        scope="rowgroup"
        colSpan={columns}
        className="block px-5 py-2 text-left rows:table-cell rows:border-b"
      >
        {children}
      </th>
    </tr>
  );
}
