import { Fold } from "./fold";
import { RowList } from "./row-list";

interface FieldListProps {
  title: string;
  note?: string;
  /** As HTML. */
  rows: string;
  /** Whether the reader opens it. */
  isFolded?: boolean;
}

/** The fields of one part of a request or an answer: type, default, limits and a sentence. */
export function FieldList({ title, note, rows, isFolded = false }: FieldListProps) {
  if (rows === "") return null;
  const body = (
    <>
      {note ? <p className="text-muted text-sm">{note}</p> : null}
      <RowList
        rows={rows}
        className="mt-2 border-t [&>div]:gap-x-4 [&>div]:gap-y-0.5 [&>div]:border-b [&>div]:py-2 sm:[&>div]:grid-cols-[minmax(0,15rem)_minmax(0,1fr)] [&_dt>span]:ml-2 [&_dt>span]:text-muted [&_dt>span]:text-xs [&_dd]:break-words [&_p+p]:mt-0.5 [&_p+p]:flex [&_p+p]:flex-wrap [&_p+p]:gap-x-3 [&_p+p]:gap-y-0.5 [&_p+p]:text-muted [&_p+p]:text-xs"
      />
    </>
  );
  if (isFolded) return <Fold title={title}>{body}</Fold>;
  return (
    <section>
      <h3 className="font-medium text-sm">{title}</h3>
      {body}
    </section>
  );
}
