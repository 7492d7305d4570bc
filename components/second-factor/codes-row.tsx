import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { makeRecoveryCodes, useFactorsChanged } from "@/lib/client/second-factor";
import { FactorHead } from "./factor-head";

interface CodesRowProps {
  left: number;
  onCodes: (codes: string[] | null) => void;
}

/** How many recovery codes are left. They can be made anew. */
export function CodesRow({ left, onCodes }: CodesRowProps) {
  const t = useTranslations("secondFactor");
  const showFailure = useFailureToast();
  const changed = useFactorsChanged();
  const make = useMutation({
    mutationFn: makeRecoveryCodes,
    onSuccess: async ({ recoveryCodes }) => {
      onCodes(recoveryCodes);
      await changed();
    },
    onError: showFailure,
  });
  return (
    <FactorHead
      title={t("codes")}
      state={t("codesLeft", { count: left })}
      action={
        <Button size="small" isBusy={make.isPending} onClick={() => make.mutate()}>
          {t("newCodes")}
        </Button>
      }
    />
  );
}
