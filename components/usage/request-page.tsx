"use client";

import { useTranslations } from "next-intl";
import { RequestFrame } from "@/components/requests/request-frame";
import { useRequestDetail } from "@/lib/client/usage";
import { AgainButton } from "./again-button";
import { ContentCard } from "./content-card";

/** The page of a request of the account. */
export function RequestPage({ id, baseUrl }: { id: string; baseUrl: string }) {
  const t = useTranslations("usage.life");
  const query = useRequestDetail(id);
  const entry = query.data?.entry;
  return (
    <RequestFrame
      list={{ href: "/usage", name: t("all") }}
      query={query}
      detail={query.data}
      actions={query.data ? <AgainButton detail={query.data} /> : null}
    >
      {entry?.request?.family === "text" ? (
        <ContentCard id={entry.id} dialect={entry.request.dialect} baseUrl={baseUrl} />
      ) : null}
    </RequestFrame>
  );
}
