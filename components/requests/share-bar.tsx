import { readPoints } from "@/lib/client/points-display";

/** An amount relative to the largest, as a bar. The figure is shown beside it. */
export function ShareBar({ amount, largest }: { amount: string; largest: string }) {
  const whole = readPoints(largest);
  const width = whole === 0n ? 0 : Number((readPoints(amount) * 1000n) / whole) / 10;
  return (
    <svg aria-hidden className="block h-1.5 w-full min-w-16 rounded-full bg-wash">
      <rect width={`${width}%`} height="100%" rx="3" className="fill-ink/80" />
    </svg>
  );
}
