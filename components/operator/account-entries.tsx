"use client";

import { useState } from "react";
import { EntriesList } from "@/components/requests/entries-list";
import type { EntryKind } from "@/lib/client/entries";
import { useAccountEntries } from "@/lib/client/operator-lists";

/** The account's whole history, as its people see it; a request leads to its details. */
export function AccountEntries({ id }: { id: string }) {
  const [kind, setKind] = useState<EntryKind>("all");
  const query = useAccountEntries(id, kind);
  return (
    <EntriesList
      id="account-entries"
      query={query}
      kind={kind}
      onKind={setKind}
      hrefOf={(entryId) => `/admin/requests?request=${entryId}`}
    />
  );
}
