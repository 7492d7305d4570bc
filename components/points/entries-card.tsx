"use client";

import { useSearchParams } from "next/navigation";
import { changeAddress } from "@/components/lists/address";
import { EntriesList } from "@/components/requests/entries-list";
import { useEntries } from "@/lib/client/entries";
import { historyKinds } from "@/lib/contract/states";

/** The account's own history. The filter stands in the address, so that it can be shared and the back button knows it. */
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
