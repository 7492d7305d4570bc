import { useFormatter } from "next-intl";
import { Unknown } from "@/components/catalog/model-speed";

/** Rounded down, so that only what never failed is 100 %. */
export function useShareText(): (share: number) => string {
  const format = useFormatter();
  return (share) =>
    format.number(Math.floor(share * 10_000) / 10_000, {
      style: "percent",
      maximumFractionDigits: 2,
    });
}

/** A share from 0 to 1 as a percentage; a dash where too few requests were made. */
export function Share({ of }: { of: number | null }) {
  const text = useShareText();
  return of === null ? <Unknown /> : text(of);
}
