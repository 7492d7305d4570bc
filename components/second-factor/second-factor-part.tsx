"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { secondFactorQuery, useFactorsChanged } from "@/lib/client/second-factor";
import { CodesRow } from "./codes-row";
import { PasskeyRows } from "./passkey-rows";
import { RecoveryCodes } from "./recovery-codes";
import { TotpRow } from "./totp-row";

/** The settings about further ways to prove who one is. */
export function SecondFactorPart() {
  const { data, error, refetch } = useQuery(secondFactorQuery);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = useFactorsChanged();
  const onCodes = (next: string[] | null) => {
    setCodes(next);
    void changed();
  };
  if (error && !data) return <QueryFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-29.5 w-full" />;
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />;
  const hasFactor = data.hasTotp || data.passkeys.length > 0;
  return (
    <div className="grid min-w-0 gap-4">
      <TotpRow hasTotp={data.hasTotp} onCodes={onCodes} />
      <PasskeyRows passkeys={data.passkeys} onCodes={onCodes} />
      {hasFactor ? <CodesRow left={data.recoveryCodesLeft} onCodes={onCodes} /> : null}
    </div>
  );
}
