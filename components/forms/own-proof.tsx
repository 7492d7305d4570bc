"use client";

import { later } from "@/components/ui/later";
import { useMe } from "@/lib/client/account";
import type { ProofDialogProps } from "./proof-dialog";

const ProofDialog = later(() => import("./proof-dialog").then((module) => module.ProofDialog), {
  isDialog: true,
});

/** Asks the user of the account's pages who is there; what was set since the page was loaded counts. */
export function OwnProof(loaded: ProofDialogProps) {
  const { data: me } = useMe();
  const { hasPassword, hasSecondFactor } = me?.user ?? loaded;
  return <ProofDialog hasPassword={hasPassword} hasSecondFactor={hasSecondFactor} />;
}
