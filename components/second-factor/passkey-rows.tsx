import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { showToast } from "@/components/ui/toast";
import type { PasskeyView } from "@/lib/contract/passkeys";
import { AddPasskey } from "./add-passkey";
import { FactorHead } from "./factor-head";
import { PasskeyItem } from "./passkey-item";

interface PasskeyRowsProps {
  passkeys: readonly PasskeyView[];
  onCodes: (codes: string[] | null) => void;
}

export function PasskeyRows({ passkeys, onCodes }: PasskeyRowsProps) {
  const t = useTranslations("secondFactor");
  const [isAdding, setIsAdding] = useState(false);
  const done = (codes: string[] | null) => {
    setIsAdding(false);
    showToast(t("passkeyAdded"));
    onCodes(codes);
  };
  return (
    <FactorHead
      title={t("passkeys")}
      {...(passkeys.length === 0 && { state: t("passkeysNone") })}
      action={
        isAdding ? null : (
          <Button size="small" onClick={() => setIsAdding(true)}>
            {t("addPasskey")}
          </Button>
        )
      }
    >
      {passkeys.length > 0 ? (
        <ul className="divide-y rounded-md border">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      ) : null}
      {isAdding ? <AddPasskey onDone={done} onCancel={() => setIsAdding(false)} /> : null}
    </FactorHead>
  );
}
