"use client";

import { RequestDetails } from "@/components/requests/request-details";
import { RequestDrawer } from "@/components/requests/request-drawer";
import { useRequestDetail } from "@/lib/client/usage";

/** All there is to know of one request, at the side of the page; its address is a permanent one. */
export function RequestDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useRequestDetail(id);
  const { data } = query;
  return (
    <RequestDrawer query={query} onClose={onClose}>
      {data?.entry.request ? <RequestDetails detail={data} request={data.entry.request} /> : null}
    </RequestDrawer>
  );
}
