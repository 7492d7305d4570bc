"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { showToast } from "@/components/ui/toast";
import { useRemoveContent } from "@/lib/client/content";

/** Deletes what was kept of a request, after a question. */
export function RemoveContent({ id }: { id: string }) {
  const t = useTranslations("usage.content");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useRemoveContent(id);
  const confirm = () => {
    setIsAsking(false);
    remove.mutateAsync().then(
      () => showToast(t("removed")),
      (error: unknown) => showToast(failureText(error), "bad"),
    );
  };
  return (
    <>
      <Button size="small" look="quiet" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        {t("remove")}
      </Button>
      <Dialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t("removeTitle")}
        description={t("removeNote")}
      >
        <DialogActions>
          <Button onClick={() => setIsAsking(false)}>{ui("cancel")}</Button>
          <Button look="danger" onClick={confirm}>
            {t("remove")}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
