import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

/** In place of the prompt: the draft that is made into its video. */
export function DraftNote({ id, onDrop }: { id: string; onDrop: () => void }) {
  const t = useTranslations("studio");
  return (
    <div className="grid justify-items-start gap-2 rounded-md border bg-wash px-3 py-2.5 text-sm">
      <p className="wrap-anywhere">{t("draftOf", { id })}</p>
      <Button size="small" onClick={onDrop}>
        {t("draftDrop")}
      </Button>
    </div>
  );
}
