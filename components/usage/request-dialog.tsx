"use client";

import { RequestDetails } from "@/components/requests/request-details";
import { RequestDrawer } from "@/components/requests/request-drawer";
import { useRequestDetail } from "@/lib/client/usage";

/** The details of one request in a side dialog. Its URL is permanent. */
export function RequestDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useRequestDetail(id);
  const { data } = query;
  return (
    <RequestDrawer query={query} onClose={onClose}>
      {data?.entry.request ? <RequestDetails detail={data} request={data.entry.request} /> : null}
    </RequestDrawer>
  );
}
