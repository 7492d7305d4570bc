import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { removeTotp, startTotp, useFactorChange } from "@/lib/client/second-factor";
import { FactorHead } from "./factor-head";
import { TotpSetup } from "./totp-setup";

interface TotpRowProps {
  hasTotp: boolean;
  onCodes: (codes: string[] | null) => void;
}

/** The authenticator app. */
export function TotpRow({ hasTotp, onCodes }: TotpRowProps) {
  const t = useTranslations("secondFactor");
  const tell = useFailureToast();
  const [started, setStarted] = useState<{ secret: string; uri: string } | null>(null);
  const remove = useFactorChange(removeTotp);
  const start = useMutation({ mutationFn: startTotp, onSuccess: setStarted, onError: tell });
  if (started !== null && !hasTotp)
    return (
      <FactorHead title={t("app")}>
        <TotpSetup
          {...started}
          onCancel={() => setStarted(null)}
          onDone={(codes) => {
            setStarted(null);
            onCodes(codes);
          }}
        />
      </FactorHead>
    );
  return (
    <FactorHead
      title={t("app")}
      state={t(hasTotp ? "appOn" : "appNone")}
      action={
        hasTotp ? (
          <Button
            size="small"
            isBusy={remove.isPending}
            onClick={() =>
              remove.mutate(undefined, {
                onSuccess: () => showToast(t("appRemoved")),
                onError: tell,
              })
            }
          >
            {t("removeApp")}
          </Button>
        ) : (
          <Button size="small" isBusy={start.isPending} onClick={() => start.mutate()}>
            {t("addApp")}
          </Button>
        )
      }
    />
  );
}
