import type { ReactNode } from "react";
import { Table, TableBody, TableHead } from "@/components/ui/table";
import { ListFrame, type ListFrameProps } from "./list-frame";

interface ListCardProps extends ListFrameProps {
  columns: ReactNode;
  rows: readonly ReactNode[];
  /** For the box around the table, such as a minimum height that prevents a layout shift. */
  tableClassName?: string;
  /** Whether the table has many columns. */
  isWide?: boolean;
}

/** A list in a card: a table, which becomes cards where it is narrow. */
export function ListCard({ columns, rows, tableClassName, isWide, ...frame }: ListCardProps) {
  return (
    <ListFrame
      {...frame}
      rows={
        rows.length === 0 ? null : (
          <div className={tableClassName}>
            <Table labelledBy={frame.id} columns={isWide ? "many" : "most"} className="border-t">
              <TableHead>{columns}</TableHead>
              <TableBody>{rows}</TableBody>
            </Table>
          </div>
        )
      }
    />
  );
}
