import { useTranslations } from "next-intl";
import { exactPoints, largestPoints, readPoints } from "@/lib/client/points-display";
import { formatPoints } from "@/lib/money/points";

/**
 * A key's spend of the last days as a chart of one line's height; nothing when nothing was spent.
 */
export function Sparkline({ amounts }: { amounts: readonly string[] }) {
  const t = useTranslations("keys");
  const highest = readPoints(largestPoints(amounts));
  if (highest === 0n) return null;
  const sum = formatPoints(amounts.reduce((total, amount) => total + readPoints(amount), 0n));
  return (
    <svg
      role="img"
      aria-label={t("spark", { points: exactPoints(sum) })}
      viewBox={`0 0 ${amounts.length} 20`}
      preserveAspectRatio="none"
      className="ml-auto h-4 w-16 border-b border-b-line-strong"
    >
      {amounts.map((amount, index) => {
        const height = Number((readPoints(amount) * 20_000n) / highest) / 1000;
        const shown = readPoints(amount) > 0n ? Math.max(height, 1) : 0;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the day
            key={index}
            x={index + 0.15}
            width={0.7}
            y={20 - shown}
            height={shown}
            className="fill-muted"
          />
        );
      })}
    </svg>
  );
}
