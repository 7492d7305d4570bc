import { useTranslations } from "next-intl";
import { ListFrame } from "@/components/lists/list-frame";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { linkClassName } from "@/components/ui/rich-text";
import { useActions } from "@/lib/client/operator-lists";
import { useAuditNames } from "../audit-words";
import { ChangeLine } from "../change-text";

/** What was changed of a model and its price, newest first. */
export function ModelHistory({ id }: { id: string }) {
  const t = useTranslations("operator.models");
  const names = useAuditNames();
  const query = useActions({ subject: id });
  const actions = query.data?.pages.flatMap((page) => page.actions) ?? [];
  return (
    <ListFrame
      id="history"
      title={t("history")}
      query={query}
      empty={t("noHistory")}
      rows={
        actions.length === 0 ? null : (
          <ol className="border-t">
            {actions.map((action) => (
              <li
                key={action.seq}
                className="grid gap-0.5 border-b px-5 py-2.5 text-sm last:border-b-0"
              >
                <span className="flex flex-wrap justify-between gap-x-4">
                  <Link
                    href={`/admin/audit?subject=${encodeURIComponent(id)}&row=${action.seq}`}
                    prefetch={false}
                    className={`font-medium ${linkClassName}`}
                  >
                    {names.action(action.action)}
                  </Link>
                  <span className="text-muted">
                    {names.actor(action)} · <RelativeTime at={action.at} />
                  </span>
                </span>
                <span className="wrap-anywhere line-clamp-2 text-muted">
                  <ChangeLine action={action} />
                </span>
              </li>
            ))}
          </ol>
        )
      }
    />
  );
}
