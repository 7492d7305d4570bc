/** What is used of a budget. Its figures stand beside it as text. */
export function BudgetBar({ budget, left }: { budget: bigint; left: bigint }) {
  const used = budget === 0n ? 100 : Number(((budget - left) * 1000n) / budget) / 10;
  return (
    <svg aria-hidden className="block h-1.5 w-full rounded-full bg-wash">
      <rect width={`${used}%`} height="100%" rx="3" className="fill-ink" />
    </svg>
  );
}
