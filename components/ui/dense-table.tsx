import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { cn } from "./class-names";
import { Link } from "./link";
import { SortButton } from "./sort-button";
import type { ColumnSort } from "./use-sorted";

/*
 * Rows of 40 pixels, each of which opens something; of two lines where their container is narrow.
 * Display styles other than a table's hide its meaning from screen readers: every part sets its role.
 */

const places = {
  /** In two lines: left and right in the first, left and right in the second. */
  head: "col-start-1 row-start-1 @[44rem]/dense:col-auto @[44rem]/dense:row-auto",
  side: "col-start-2 row-start-1 justify-self-end @[44rem]/dense:col-auto @[44rem]/dense:row-auto @[44rem]/dense:justify-self-stretch",
  body: "col-start-1 row-start-2 @[44rem]/dense:col-auto @[44rem]/dense:row-auto",
  end: "col-start-2 row-start-2 justify-self-end @[44rem]/dense:col-auto @[44rem]/dense:row-auto @[44rem]/dense:justify-self-stretch",
  /** Only where a row is one line, or where there is much room. */
  wide: "@max-[44rem]/dense:hidden",
  widest: "@max-4xl/dense:hidden",
};

export interface DenseColumn {
  readonly name: string;
  readonly place: keyof typeof places;
  readonly isNumber?: boolean;
  /** Only screen readers get the name. */
  readonly isNameHidden?: boolean;
  /** Made by `useSorted`. */
  readonly sort?: ColumnSort;
  readonly className?: string;
}

export interface DenseRow {
  readonly id: string;
  /** In the order of the columns. The cell at `head` is the link. */
  readonly cells: readonly ReactNode[];
  /** What the row opens; without it the row is only read. */
  readonly href?: string;
  /** Opens it on this page instead. */
  readonly onOpen?: () => void;
  readonly isOpen?: boolean;
}

interface DenseTableProps {
  labelledBy: string;
  columns: readonly DenseColumn[];
  rows: readonly DenseRow[];
  /** The widths of the columns: classes for `@[44rem]/dense`, and `@4xl/dense` for `widest` ones. */
  layout: string;
  /** The values of `--dense-wide` and `--dense-widest`, where the layout is made of them. */
  widths?: DenseWidths | undefined;
  className?: string;
}

/** Widths of columns that the reader chooses. */
export interface DenseWidths {
  readonly wide: string;
  readonly widest: string;
}

export const chosenLayout =
  "@[44rem]/dense:grid-cols-(--dense-wide) @4xl/dense:grid-cols-(--dense-widest)";

export function DenseTable(props: DenseTableProps) {
  const { labelledBy, columns, rows, layout, widths, className } = props;
  // By script, since the content security policy takes no style attributes.
  const setWidths = (table: HTMLTableElement | null) => {
    if (table === null || widths === undefined) return;
    table.style.setProperty("--dense-wide", widths.wide);
    table.style.setProperty("--dense-widest", widths.widest);
  };
  return (
    <div className={cn("@container [container-name:dense_rows-44]", className)}>
      <table ref={setWidths} role="table" aria-labelledby={labelledBy} className="block w-full">
        <thead role="rowgroup" className="sr-only @[44rem]/dense:not-sr-only @[44rem]/dense:block">
          <tr
            role="row"
            className={cn(
              "grid h-7.5 items-center gap-x-3 border-b px-4 font-medium text-muted text-xs",
              layout,
            )}
          >
            {columns.map(({ name, place, isNumber, isNameHidden, sort, className }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                aria-sort={sort ? (sort.direction ?? "none") : undefined}
                className={cn(
                  "truncate text-left font-medium",
                  (place === "wide" || place === "widest") && places[place],
                  isNumber && "text-right",
                  className,
                )}
              >
                <HeadName name={name} isHidden={isNameHidden} sort={sort} isNumber={isNumber} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block">
          {rows.map((row) => (
            <OneRow key={row.id} row={row} columns={columns} layout={layout} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadNameProps {
  name: string;
  isHidden: boolean | undefined;
  sort: ColumnSort | undefined;
  isNumber: boolean | undefined;
}

function HeadName({ name, isHidden, sort, isNumber }: HeadNameProps) {
  if (isHidden) return <span className="sr-only">{name}</span>;
  if (sort === undefined) return name;
  return (
    <SortButton sort={sort} isNumber={isNumber}>
      {name}
    </SortButton>
  );
}

interface OneRowProps {
  row: DenseRow;
  columns: readonly DenseColumn[];
  layout: string;
}

function OneRow({ row, columns, layout }: OneRowProps) {
  return (
    <tr
      role="row"
      onPointerMove={showCutText}
      className={cn(
        "relative grid min-h-14 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 gap-y-0.5 border-b px-4 py-2 text-sm last:border-b-0",
        "has-[[data-row]:focus-visible]:outline-2 has-[[data-row]:focus-visible]:outline-signal has-[[data-row]:focus-visible]:-outline-offset-2",
        "@[44rem]/dense:h-10 @[44rem]/dense:min-h-0 @[44rem]/dense:py-0",
        row.href !== undefined && "hover:bg-wash/60",
        row.isOpen &&
          "bg-wash before:absolute before:inset-y-0 before:left-0 before:w-0.75 before:bg-ink hover:bg-wash [&_.text-faint]:text-muted",
        layout,
      )}
    >
      {columns.map(({ name, place, isNumber, className }, at) => (
        <td
          key={name}
          role="cell"
          className={cn("min-w-0 truncate", places[place], isNumber && "num text-right", className)}
        >
          {place === "head" && row.href !== undefined ? (
            <RowLink row={row} href={row.href}>
              {row.cells[at]}
            </RowLink>
          ) : (
            row.cells[at]
          )}
        </td>
      ))}
    </tr>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys move between rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [
    ...(event.currentTarget.closest("table")?.querySelectorAll<HTMLElement>("[data-row]") ?? []),
  ];
  const next = links[links.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The row has the whole text of the cell under the pointer as its title, where the cell cuts it short. */
function showCutText({ currentTarget: row, clientX, clientY }: PointerEvent<HTMLTableRowElement>) {
  const cell = [...row.cells].find((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left <= clientX && clientX < right && top <= clientY && clientY < bottom;
  });
  // biome-ignore lint/performance/useDomNodeTextContent: it keeps apart what is read out and what is shown
  if (cell && cell.scrollWidth > cell.clientWidth) row.title = cell.innerText;
  else row.removeAttribute("title");
}

/** Covers the whole row, so that a click anywhere opens it. Other links in the row lie above it. */
function RowLink({
  row: { id, onOpen, isOpen },
  href,
  children,
}: {
  row: DenseRow;
  href: string;
  children: ReactNode;
}) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={onOpen === undefined}
      data-row={id}
      aria-current={isOpen ? "true" : undefined}
      onKeyDown={moveFocus}
      onNavigate={(event) => {
        if (onOpen === undefined) return;
        event.preventDefault();
        onOpen();
      }}
      className="outline-none after:absolute after:inset-0"
    >
      {children}
    </Link>
  );
}
