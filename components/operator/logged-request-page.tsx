"use client";

import { useTranslations } from "next-intl";
import { RequestFrame } from "@/components/requests/request-frame";
import { Card } from "@/components/ui/card";
import { useLoggedRequest } from "@/lib/client/operator-lists";
import type { LifeRow } from "@/lib/client/request-life";
import type { LoggedRequestView } from "@/lib/contract/operator-requests";
import { OperationPart, RefundsPart } from "./logged-request-parts";
import { AttemptWords } from "./request-attempts";

/** The page of a request as operators see it: with the channel, the credential and the upstream's words. */
export function LoggedRequestPage({ id }: { id: string }) {
  const t = useTranslations("usage.life");
  const query = useLoggedRequest(id);
  const { data } = query;
  return (
    <RequestFrame
      list={{ href: "/admin/requests", name: t("all") }}
      query={query}
      detail={data?.request}
      isOwn={false}
      noteOf={(row) => (data ? <RowNote row={row} logged={data} /> : null)}
      aside={
        data ? (
          <Card className="grid grid-cols-1 gap-5 px-5 py-4.5">
            <OperationPart logged={data} />
            <RefundsPart logged={data} />
          </Card>
        ) : null
      }
    />
  );
}

/** Of a call: the channel and its answer. */
function RowNote({ row, logged }: { row: LifeRow; logged: LoggedRequestView }) {
  const attempt = logged.attempts.find(({ id }) => id === row.attempt?.id);
  if (attempt !== undefined)
    return (
      <div>
        <AttemptWords attempt={attempt} />
      </div>
    );
  if (row.kind !== "upstream" || logged.channel === null) return null;
  return <p className="wrap-anywhere">{logged.channel.name ?? logged.channel.id}</p>;
}
