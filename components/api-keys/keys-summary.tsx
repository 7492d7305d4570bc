"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useKeys } from "@/lib/client/api-keys";
import { CreateKeyDialog } from "./create-key-dialog";
import { useCreation } from "./use-creation";

/** How many keys the account has, and a button that makes one. The list is on a page of its own. */
export function KeysSummary({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations("keys");
  const { data, error } = useKeys();
  const creation = useCreation();
  const inUse = data?.keys.filter(({ status }) => status === "active" || status === "paused");
  return (
    <Card
      aria-labelledby="keys"
      className="mt-3.5 flex min-h-23 flex-wrap items-center justify-between gap-x-5 gap-y-3 px-5 py-4"
    >
      <div className="min-w-0">
        <h2 id="keys" className="text-lg">
          {t("title")}
        </h2>
        <p className="max-w-xl text-muted">
          {inUse === undefined ? (
            error ? null : (
              <Skeleton className="inline-block h-3.5 w-52 max-w-full" />
            )
          ) : inUse.length === 0 ? (
            t("empty")
          ) : (
            t("inUse", { count: inUse.length })
          )}{" "}
          <Link href="/keys" className={linkClassName}>
            {t("manage")}
          </Link>
        </p>
      </div>
      <ForRole needs="makeKeys">
        <Button look="go" onClick={creation.start}>
          <Plus aria-hidden />
          {t("create")}
        </Button>
      </ForRole>
      <CreateKeyDialog {...creation.dialog} baseUrl={baseUrl} />
    </Card>
  );
}
