import {
  type DenseColumn,
  type DenseRow,
  DenseTable,
  type DenseWidths,
} from "@/components/ui/dense-table";
import { Skeleton } from "@/components/ui/skeleton";
import { ListFrame, type ListFrameProps } from "./list-frame";

interface DenseCardProps extends ListFrameProps {
  columns: readonly DenseColumn[];
  rows: readonly DenseRow[];
  layout: string;
  widths?: DenseWidths;
}

/** A list in a card, of rows that open a drawer or a page. */
export function DenseCard({ columns, rows, layout, widths, ...frame }: DenseCardProps) {
  return (
    <ListFrame
      skeleton={<DenseSkeleton />}
      {...frame}
      rows={
        rows.length === 0 ? null : (
          <DenseTable
            labelledBy={frame.id}
            columns={columns}
            rows={rows}
            layout={layout}
            widths={widths}
            className="border-t"
          />
        )
      }
    />
  );
}

/** A placeholder for rows that are loading. */
function DenseSkeleton() {
  return (
    <div className="border-t">
      {["first", "second", "third", "fourth", "fifth", "sixth"].map((row) => (
        <div key={row} className="flex h-10 items-center gap-6 border-b px-4 last:border-b-0">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className="h-3.5 flex-1" />
          <Skeleton className="h-3.5 w-20" />
        </div>
      ))}
    </div>
  );
}
