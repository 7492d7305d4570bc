import { useTranslations } from "next-intl";
import { Drawer } from "@/components/lists/drawer";
import type { OpenRow } from "@/components/lists/use-open-row";
import { RequestDetails } from "@/components/requests/request-details";
import { RowTime } from "@/components/ui/row-time";
import { useRequestDetail } from "@/lib/client/usage";

interface RequestDialogProps {
  id: string;
  row: OpenRow;
  timeZone: string | undefined;
}

/** The details of one request in the drawer. Its URL is permanent. */
export function RequestDialog({ id, row, timeZone }: RequestDialogProps) {
  const t = useTranslations("usage.detail");
  const query = useRequestDetail(id);
  const entry = query.data?.entry;
  return (
    <Drawer
      title={t("title")}
      note={entry ? <RowTime at={entry.at} timeZone={timeZone} /> : null}
      query={query}
      row={row}
    >
      {query.data && entry?.request ? (
        <RequestDetails detail={query.data} request={entry.request} />
      ) : null}
    </Drawer>
  );
}
