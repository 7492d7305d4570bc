import { cn } from "./class-names";

/** A grey placeholder bar. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span aria-hidden className={cn("block animate-pulse-soft rounded-sm bg-line", className)} />
  );
}
