import { useLocale } from "next-intl";
import { listText } from "@/lib/values/list-text";

/** Joins the items of a line as the reader's language does. */
export function useListText(): (items: readonly string[]) => string {
  const locale = useLocale();
  return (items) => listText(items, locale);
}
