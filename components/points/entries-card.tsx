"use client";

import { useSearchParams } from "next/navigation";
import { changeAddress } from "@/components/lists/address";
import { EntriesList } from "@/components/requests/entries-list";
import { useEntries } from "@/lib/client/entries";
import { historyKinds } from "@/lib/contract/states";

/**
 * The account's history. The filter is kept in the URL, so that it can be shared and the back
 * button works.
 */
export function EntriesCard() {
  const search = useSearchParams();
  const kind = historyKinds.find((each) => each === search.get("kind")) ?? "all";
  const query = useEntries(kind);
  return (
    <EntriesList
      id="entries"
      className="mt-3.5"
      query={query}
      kind={kind}
      onKind={(next) => changeAddress({ kind: next === "all" ? null : next })}
    />
  );
}
