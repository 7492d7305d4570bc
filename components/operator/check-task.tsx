import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useOperatorWrite } from "@/lib/client/write";
import { requestEndpoints } from "@/lib/contract/operator-requests";

/** Has a task polled at once. */
export function CheckTask({ id }: { id: string }) {
  const t = useTranslations("operator.tasks");
  const showFailure = useFailureToast();
  const check = useOperatorWrite(requestEndpoints.checkTask);
  const ask = () =>
    check.mutate({ id }, { onSuccess: () => showToast(t("checked")), onError: showFailure });
  return (
    <Button
      size="small"
      isBusy={check.isPending}
      aria-label={t("checkLabel", { id })}
      onClick={ask}
    >
      {t("check")}
    </Button>
  );
}
