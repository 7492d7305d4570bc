import { useTranslations } from "next-intl";
import { Drawer } from "@/components/lists/drawer";
import type { OpenRow } from "@/components/lists/use-open-row";
import { RequestDetails } from "@/components/requests/request-details";
import { RowTime } from "@/components/ui/row-time";
import { useLoggedRequest } from "@/lib/client/operator-lists";
import { OperationPart, RefundsPart } from "./logged-request-parts";
import { RequestAttempts } from "./request-attempts";

/** A request as its user sees it, with its account, its channel and the refund of its charge. */
export function LoggedRequestDialog({ id, row }: { id: string; row: OpenRow }) {
  const t = useTranslations("usage.detail");
  const query = useLoggedRequest(id);
  const { data } = query;
  return (
    <Drawer
      title={t("title")}
      note={data ? <RowTime at={data.request.entry.at} /> : null}
      query={query}
      row={row}
    >
      {data?.request.entry.request ? (
        <div className="grid gap-5">
          <RequestDetails detail={data.request} request={data.request.entry.request} isOwn={false}>
            <RequestAttempts attempts={data.attempts} />
          </RequestDetails>
          <OperationPart logged={data} />
          <RefundsPart logged={data} />
        </div>
      ) : null}
    </Drawer>
  );
}
