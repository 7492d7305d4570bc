import { useState } from "react";
import { EntriesList } from "@/components/requests/entries-list";
import { useAccountEntries } from "@/lib/client/operator-lists";
import type { HistoryKind } from "@/lib/contract/states";

/** The account's history as its users see it. A request links to its details. */
export function AccountEntries({ id }: { id: string }) {
  const [kind, setKind] = useState<HistoryKind>("all");
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
