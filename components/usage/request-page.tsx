"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { RequestFrame } from "@/components/requests/request-frame";
import { Button } from "@/components/ui/button";
import { useMay } from "@/lib/client/shown-account";
import { useRequestDetail } from "@/lib/client/usage";
import type { RequestView } from "@/lib/contract/usage";

/** The page of a request of the account. */
export function RequestPage({ id }: { id: string }) {
  const t = useTranslations("usage.life");
  const query = useRequestDetail(id);
  return (
    <RequestFrame
      list={{ href: "/usage", name: t("all") }}
      query={query}
      detail={query.data}
      actions={query.data ? <Again detail={query.data} /> : null}
    />
  );
}

/** Leads to the playground with the settings of a video or an image. */
function Again({ detail: { entry } }: { detail: RequestView }) {
  const t = useTranslations("studio");
  const works = useMay("work");
  if (!works || entry.request === null || entry.request.family === "text") return null;
  return (
    <Button asChild size="small">
      <Link href={`/playground/${entry.request.family}?again=${entry.id}`} prefetch={false}>
        {t("again")}
      </Link>
    </Button>
  );
}
