import { cn } from "@/components/ui/class-names";

/** A list of terms whose rows are HTML. */
export function RowList({ rows, className }: { rows: string; className: string }) {
  return (
    <dl
      className={cn(
        "grid text-sm [&>div]:grid [&_code]:[overflow-wrap:anywhere] [&_dd]:min-w-0",
        className,
      )}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: text of the contract, escaped
      dangerouslySetInnerHTML={{ __html: rows }}
    />
  );
}
