import { showSecondFactor } from "@/lib/queries/second-factor";
import type { OpenInstallation } from "./open";

/** What a user has set up besides the password. */
export async function secondFactorOf(installation: OpenInstallation, userId: string) {
  const { hasTotp, passkeys, recoveryCodesLeft } = await showSecondFactor(installation, userId);
  return {
    authenticator_app: hasTotp,
    passkeys: passkeys.length,
    recovery_codes_left: recoveryCodesLeft,
  };
}
