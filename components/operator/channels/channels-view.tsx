"use client";

import { useQuery } from "@tanstack/react-query";
import { Cable, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { After } from "@/components/ui/after";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/ui/page-head";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import {
  ColumnHead,
  HiddenHead,
  NumberHead,
  Table,
  TableBody,
  TableHead,
} from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { upstreamBalancesQuery } from "@/lib/client/operator-balances";
import { channelsQuery } from "@/lib/client/operator-channels";
import { UnservedNotice } from "../unserved-notice";
import { ChannelDialog } from "./channel-dialog";
import { ChannelRow } from "./channel-row";
import { channelValues } from "./channel-values";

/** All channels in the order in which they are tried, with their health. */
export function ChannelsView() {
  const t = useTranslations("operator.channels");
  const { data, error, isPending, refetch } = useQuery(channelsQuery);
  // The rows have lines of it.
  const balances = useQuery(upstreamBalancesQuery);
  const { rows, sort } = useSorted(data?.channels ?? [], channelValues);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setIsAdding(true)}>
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </PageHead>
      {isAdding ? <ChannelDialog channel={null} onClose={() => setIsAdding(false)} /> : null}
      <UnservedNotice unserved={data?.unserved ?? []} isOnChannels />
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {isPending ? <ChannelsSkeleton /> : null}
      {data ? (
        <After of={[balances]}>
          <Card aria-labelledby="channels">
            <h2 id="channels" className="sr-only">
              {t("title")}
            </h2>
            {data.channels.length === 0 ? (
              <div className="grid justify-items-center gap-3 px-5 py-14 text-center">
                <Cable aria-hidden className="size-6 text-faint" />
                <p className="max-w-md text-muted">{t("empty")}</p>
                <Button onClick={() => setIsAdding(true)}>{t("add")}</Button>
              </div>
            ) : (
              <Table labelledBy="channels" columns="many">
                <TableHead>
                  <ColumnHead {...sort("name")}>{t("channel")}</ColumnHead>
                  <NumberHead {...sort("minutes15")}>{t("minutes15")}</NumberHead>
                  <NumberHead {...sort("hours24")}>{t("hours24")}</NumberHead>
                  <NumberHead {...sort("median")}>{t("latency")}</NumberHead>
                  <NumberHead {...sort("running")}>{t("running")}</NumberHead>
                  <NumberHead {...sort("order")}>{t("order")}</NumberHead>
                  <HiddenHead>{t("actions")}</HiddenHead>
                </TableHead>
                <TableBody>
                  {rows.map((channel) => (
                    <ChannelRow key={channel.id} channel={channel} />
                  ))}
                </TableBody>
              </Table>
            )}
          </Card>
        </After>
      ) : null}
      {data ? <p className="mt-3 max-w-[80ch] text-muted text-sm">{t("counted")}</p> : null}
    </>
  );
}

function ChannelsSkeleton() {
  const ui = useTranslations("ui");
  return (
    <Card role="status" className="grid gap-5 p-5">
      <span className="sr-only">{ui("loading")}</span>
      {[0, 1, 2].map((row) => (
        <span key={row} className="grid gap-2">
          <Skeleton className="h-5 w-48" />
          <Skeleton className="h-4 w-full" />
        </span>
      ))}
    </Card>
  );
}
