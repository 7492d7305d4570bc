import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { removePasskey, useFactorChange } from "@/lib/client/second-factor";
import type { PasskeyView } from "@/lib/contract/passkeys";
import { RenamePasskey } from "./rename-passkey";

export function PasskeyItem({ passkey }: { passkey: PasskeyView }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const t = useTranslations("secondFactor");
  const showFailure = useFailureToast();
  const [isRenaming, setIsRenaming] = useState(false);
  const remove = useFactorChange(removePasskey);
  const go = () =>
    remove.mutate(id, { onSuccess: () => showToast(t("passkeyRemoved")), onError: showFailure });
  if (isRenaming) return <RenamePasskey {...{ id, name }} onDone={() => setIsRenaming(false)} />;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <KeyRound aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere text-sm">{name}</p>
        <p className="text-muted text-xs">
          {t.rich(lastUsedAt ? "used" : "added", {
            time: () => <RelativeTime at={lastUsedAt ?? createdAt} />,
          })}
        </p>
      </div>
      <Button
        size="small"
        aria-label={t("renameLabel", { name })}
        onClick={() => setIsRenaming(true)}
      >
        {t("rename")}
      </Button>
      <Button
        size="small"
        isBusy={remove.isPending}
        aria-label={t("removeLabel", { name })}
        onClick={go}
      >
        {t("remove")}
      </Button>
    </li>
  );
}
