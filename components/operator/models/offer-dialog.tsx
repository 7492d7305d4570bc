import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/write";
import { REASON_LENGTH_MAX } from "@/lib/contract/limits";
import { type ModelDetail, modelEndpoints } from "@/lib/contract/operator-models";
import { useOperatorForm } from "../use-operator-form";
import { Gaps } from "./gaps";

interface OfferDialogProps {
  detail: ModelDetail;
  onClose: () => void;
}

/** Offers a model. Without a channel or a test a reason is required; without a price nothing helps. */
export function OfferDialog({ detail: { model, needs }, onClose }: OfferDialogProps) {
  const t = useTranslations("operator.models");
  const router = useRouter();
  const offer = useOperatorWrite(modelEndpoints.offerModel);
  const restore = useOperatorWrite(modelEndpoints.restoreModel);
  const isDraft = model.state === "draft";
  const isPriced = needs.hasPrice && needs.gaps.length === 0;
  const isServed = needs.isMapped && needs.isTested;
  const form = useOperatorForm({
    start: { anyway: "" },
    problemsOf: ({ anyway }) => ({
      anyway: isServed ? undefined : ifEmpty(anyway, t("anywayMissing")),
    }),
    send: ({ anyway }) =>
      (isDraft ? offer : restore).mutateAsync({
        id: model.id,
        body: { anyway: isServed ? null : anyway.trim() },
      }),
    onDone: () => {
      onClose();
      router.refresh();
      showToast(t("offered", { model: model.id }));
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t(isDraft ? "offerTitle" : "restoreTitle", { model: model.id })}
      note={t("offerNote")}
      go={t(isDraft ? "offer" : "restore")}
      isOff={!isPriced}
    >
      {needs.hasPrice ? <Gaps gaps={needs.gaps} /> : <Notice tone="note">{t("priceFirst")}</Notice>}
      {isServed || !isPriced ? null : (
        <>
          <Notice tone="note">{t(needs.isMapped ? "untested" : "unmapped")}</Notice>
          <TextField
            label={t("anyway")}
            hint={t("anywayHint")}
            maxLength={REASON_LENGTH_MAX}
            {...form.field("anyway")}
          />
        </>
      )}
    </FormDialog>
  );
}
