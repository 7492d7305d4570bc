import { useTranslations } from "next-intl";
import type { EntryView } from "@/lib/contract/entries";

/** The key that sent a request, or the page. */
export function KeyName({ request }: Pick<EntryView, "request">) {
  const t = useTranslations("usage.detail");
  if (request === null) return null;
  return <span className="text-muted">{request.keyName ?? t(request.source)}</span>;
}
