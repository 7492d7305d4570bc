import { useTranslations } from "next-intl";
import { RemoveButton } from "@/components/ui/remove-button";
import { useRemoveContent } from "@/lib/client/content";

/** Deletes what was kept of a request, after a question. */
export function RemoveContent({ id }: { id: string }) {
  const t = useTranslations("usage.content");
  const { mutateAsync } = useRemoveContent(id);
  const texts = {
    remove: t("remove"),
    removeTitle: t("removeTitle"),
    removeNote: t("removeNote"),
    removed: t("removed"),
  };
  return <RemoveButton texts={texts} remove={() => mutateAsync()} />;
}
