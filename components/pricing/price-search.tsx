"use client";

import { ModelSearchField } from "@/components/catalog/model-search-field";
import { useSearchAddress } from "@/components/catalog/use-search-address";

/** Finds models of the price list by words. */
export function PriceSearch({ query }: { query: string }) {
  const { change, isBusy } = useSearchAddress();
  return (
    <search aria-busy={isBusy} className="w-full sm:w-64">
      <ModelSearchField query={query} onType={(text) => change("q", text, true)} />
    </search>
  );
}
