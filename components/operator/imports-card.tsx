import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, Row } from "@/components/ui/table";
import { importsQuery } from "@/lib/client/operator-imports";
import type { ImportView } from "@/lib/contract/operator-imports";

const counted = ["users", "keys", "channels", "models", "vouchers", "requests"] as const;

/** The relays from which something moved here; nothing where there is none. */
export function ImportsCard() {
  const t = useTranslations("operator.imports");
  const query = useQuery(importsQuery);
  const imports = query.data?.imports ?? [];
  if (imports.length === 0) return null;
  return (
    <ListCard
      id="imports"
      className="mt-3.5"
      title={t("title")}
      note={t("note")}
      query={query}
      empty={t("empty")}
      isWide
      columns={
        <>
          <ColumnHead>{t("name")}</ColumnHead>
          <ColumnHead>{t("since")}</ColumnHead>
          {counted.map((name) => (
            <ColumnHead key={name} isNumber>
              {t(name)}
            </ColumnHead>
          ))}
        </>
      }
      rows={imports.map((source) => <ImportRow key={source.name} source={source} />)}
    />
  );
}

function ImportRow({ source }: { source: ImportView }) {
  const t = useTranslations("operator.imports");
  const { number } = useFormatter();
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="wrap-anywhere">{source.name}</span>
        {source.name === source.product ? null : (
          <span className="block text-faint text-xs">{source.product}</span>
        )}
      </Cell>
      <Cell label={t("since")} className="text-muted text-sm">
        <RelativeTime at={source.createdAt} />
      </Cell>
      {counted.map((name) => (
        <Cell key={name} isNumber label={t(name)}>
          {number(source[name])}
        </Cell>
      ))}
    </Row>
  );
}
