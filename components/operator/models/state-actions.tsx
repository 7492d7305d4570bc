import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { ModelDetail } from "@/lib/contract/operator-models";
import { OfferDialog } from "./offer-dialog";
import { RetireDialog } from "./retire-dialog";

/** The next states of a model, as buttons. */
export function StateActions({ detail }: { detail: ModelDetail }) {
  const t = useTranslations("operator.models");
  const [open, setOpen] = useState<"offer" | "retire" | null>(null);
  const close = () => setOpen(null);
  const { state } = detail.model;
  const isSold = state === "offered" || state === "retiring";
  return (
    <>
      {isSold ? <Button onClick={() => setOpen("retire")}>{t("retire")}</Button> : null}
      {state === "offered" ? null : (
        <Button look="go" onClick={() => setOpen("offer")}>
          {t(state === "draft" ? "offer" : "restore")}
        </Button>
      )}
      {open === "offer" ? <OfferDialog detail={detail} onClose={close} /> : null}
      {open === "retire" ? <RetireDialog detail={detail} onClose={close} /> : null}
    </>
  );
}
