import { useTranslations } from "next-intl";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, HiddenHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { ListCard } from "./list-card";
import type { ListFrameProps } from "./list-frame";
import { type ProgramKey, ProgramKeyRow, type ProgramKeyRowProps } from "./program-key-row";

interface ProgramKeysProps<Key extends ProgramKey>
  extends Pick<ListFrameProps, "id" | "title" | "note" | "className" | "aside" | "query">,
    Pick<ProgramKeyRowProps, "texts" | "revoke" | "failureText"> {
  keys: readonly Key[];
  scopesOf: (key: Key) => string;
  /** The head of who made each, where several people make them. */
  makers?: string;
}

/** The keys with which programs do what pages do. */
export function ProgramKeys<Key extends ProgramKey>({
  keys,
  scopesOf,
  makers,
  texts,
  revoke,
  failureText,
  ...frame
}: ProgramKeysProps<Key>) {
  const t = useTranslations(texts);
  const { rows, sort } = useSorted(keys, {
    name: ({ name }) => name,
    madeBy: ({ madeBy = "" }) => madeBy,
    lastUsed: ({ lastUsedAt }) => lastUsedAt && Date.parse(lastUsedAt),
    status: ({ status }) => status,
  });
  return (
    <ListCard
      {...frame}
      isWide
      skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
      empty={<p className="border-t px-5 py-4 text-muted">{t("empty")}</p>}
      columns={
        <>
          <ColumnHead {...sort("name")}>{t("name")}</ColumnHead>
          <ColumnHead>{t("key")}</ColumnHead>
          <ColumnHead>{t("scopes")}</ColumnHead>
          {makers ? <ColumnHead {...sort("madeBy")}>{makers}</ColumnHead> : null}
          <ColumnHead {...sort("lastUsed")}>{t("lastUsed")}</ColumnHead>
          <ColumnHead {...sort("status")}>{t("status")}</ColumnHead>
          <HiddenHead>{t("actions")}</HiddenHead>
        </>
      }
      rows={rows.map((key) => (
        <ProgramKeyRow
          key={key.id}
          {...{ makers, texts, revoke, failureText }}
          programKey={key}
          scopes={scopesOf(key)}
        />
      ))}
    />
  );
}
