import { type ReactNode, useState } from "react";
import {
  Cell,
  ColumnHead,
  NumberCell,
  Row,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import type { ChartColumn, ChartSeries } from "./chart-parts";

interface ChartTableProps {
  /** The line that unfolds the table. */
  title: string;
  labelledBy: string;
  time: string;
  /** The head of the column of sums; absent where values cannot be added. */
  sum?: string | undefined;
  columns: readonly ChartColumn[];
  series: readonly ChartSeries[];
  /** The name of a time, such as a button that filters by it; by default its long name. */
  timeCell?: (column: ChartColumn) => ReactNode;
}

/** The values of a chart as a table, the latest time first. Its rows exist only while it is open. */
export function ChartTable(props: ChartTableProps) {
  const { title, labelledBy, time, sum, columns, series, timeCell } = props;
  const [isOpen, setIsOpen] = useState(false);
  const latestFirst = columns.map((column, at) => ({ column, at })).reverse();
  return (
    <details className="border-t" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="px-5 py-2.5 text-muted text-sm hover:text-ink">{title}</summary>
      {isOpen ? (
        <Table labelledBy={labelledBy}>
          <TableHead>
            <ColumnHead>{time}</ColumnHead>
            {series.map(({ id, name }) => (
              <ColumnHead key={id} isNumber>
                {name}
              </ColumnHead>
            ))}
            {sum ? <ColumnHead isNumber>{sum}</ColumnHead> : null}
          </TableHead>
          <TableBody>
            {latestFirst.map(({ column, at }) => (
              <Row key={column.id}>
                <Cell className="num whitespace-nowrap text-sm">
                  {timeCell ? timeCell(column) : column.long}
                </Cell>
                {series.map(({ id, name, texts }) => (
                  <Cell key={id} isNumber label={name}>
                    {texts[at]}
                  </Cell>
                ))}
                {sum ? <NumberCell label={sum}>{column.total}</NumberCell> : null}
              </Row>
            ))}
          </TableBody>
        </Table>
      ) : null}
    </details>
  );
}
