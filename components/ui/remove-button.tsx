import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { showToast } from "./toast";
import { useFailureToast } from "./use-failure-toast";

interface RemoveButtonProps {
  texts: Record<"remove" | "removeTitle" | "removeNote" | "removed", string>;
  /** What shows it may be gone before this resolves. */
  remove: () => Promise<unknown>;
  onRemoved?: (() => void) | undefined;
  /** Only its icon. */
  isShort?: boolean;
}

/** Removes something after a question, and says when it is done. */
export function RemoveButton({ texts, remove, onRemoved, isShort = false }: RemoveButtonProps) {
  const t = useTranslations("ui");
  const showFailure = useFailureToast();
  const [isAsking, setIsAsking] = useState(false);
  const confirm = () => {
    setIsAsking(false);
    remove().then(() => {
      showToast(texts.removed);
      onRemoved?.();
    }, showFailure);
  };
  return (
    <>
      <Button
        size="small"
        look="quiet"
        {...(isShort && {
          className: "-mr-2 px-2",
          "aria-label": texts.remove,
          title: texts.remove,
        })}
        onClick={() => setIsAsking(true)}
      >
        <Trash2 aria-hidden />
        {isShort ? null : texts.remove}
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.removeTitle}
        description={texts.removeNote}
      >
        <DialogActions>
          <Button onClick={() => setIsAsking(false)}>{t("cancel")}</Button>
          <Button look="danger" onClick={confirm}>
            {texts.remove}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
