import { useDurationText } from "@/components/ui/duration-text";

/** How long something took. */
export function Took({ ms }: { ms: number }) {
  return <span className="num text-muted">{useDurationText()(ms)}</span>;
}
