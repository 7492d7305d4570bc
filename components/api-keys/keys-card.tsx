import { KeyRound, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, HiddenHead, NumberHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { useKeys } from "@/lib/client/api-keys";
import { readPoints } from "@/lib/client/points-display";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { CreateKeyDialog } from "./create-key-dialog";
import { KeyRow } from "./key-row";
import { useCreation } from "./use-creation";

/** Keys that have ended stand last. */
const isUsable = ({ status }: ApiKeyView) => status !== "revoked" && status !== "expired";

export function KeysCard({ baseUrl }: { baseUrl: string }) {
  const t = useTranslations("keys");
  const query = useKeys();
  const creation = useCreation();
  const all = query.data?.keys ?? [];
  const keys = [...all.filter(isUsable), ...all.filter((key) => !isUsable(key))];
  const { rows, sort } = useSorted(keys, {
    name: ({ name }) => name,
    lastUsed: ({ lastUsedAt }) => lastUsedAt && Date.parse(lastUsedAt),
    spent30Days: ({ spent30Days }) => readPoints(spent30Days),
    status: ({ status }) => status,
  });
  return (
    <>
      <ListCard
        id="keys"
        isWide
        tableClassName="min-h-27"
        title={t("title")}
        isPageTitle
        note={t("note")}
        aside={
          <ForRole needs="makeKeys">
            <Button look="go" onClick={creation.start}>
              <Plus aria-hidden />
              {t("create")}
            </Button>
          </ForRole>
        }
        query={query}
        skeleton={<KeysSkeleton />}
        empty={
          <div className="grid min-h-27 justify-items-center gap-3 border-t px-5 py-5 text-center sm:flex sm:items-center sm:gap-5 sm:text-left">
            <KeyRound aria-hidden className="size-6 shrink-0 text-faint" />
            <p className="max-w-xl flex-1 text-muted">{t("empty")}</p>
          </div>
        }
        columns={
          <>
            <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
            <ColumnHead>{t("budgets")}</ColumnHead>
            <ColumnHead>{t("limits")}</ColumnHead>
            <ColumnHead {...sort("lastUsed")}>{t("lastUsed")}</ColumnHead>
            <NumberHead {...sort("spent30Days")}>{t("spent30Days")}</NumberHead>
            <ColumnHead {...sort("status")}>{t("status")}</ColumnHead>
            <HiddenHead>{t("actions")}</HiddenHead>
          </>
        }
        rows={rows.map((key) => <KeyRow key={key.id} apiKey={key} baseUrl={baseUrl} />)}
      />
      <CreateKeyDialog {...creation.dialog} baseUrl={baseUrl} />
    </>
  );
}

function KeysSkeleton() {
  return (
    <div className="min-h-27 border-t">
      {["first", "second"].map((row) => (
        <div key={row} className="flex items-center gap-8 border-b px-5 py-4 last:border-b-0">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-40 max-sm:hidden" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
