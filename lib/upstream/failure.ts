/** Makes the failures of an attempt, and those of one that got no HTTP answer. */
import type { UpstreamFailure } from "./provider";

/** A failure with the usual defaults: it may have cost something but probably did not, and only the upstream caused it. */
export function failureOf(code: UpstreamFailure["code"], internal: string, detail: Partial<UpstreamFailure> = {}): UpstreamFailure {
  return {
    code,
    mayHaveCost: false,
    isSurelyFree: false,
    isOperatorFault: false,
    param: null,
    ...detail,
    internal,
  };
}

/** Our credential, account, quota or configuration, never the customer's doing. */
export const ourFault = (internal: string) => failureOf("no_channel_available", internal, { isSurelyFree: true, isOperatorFault: true });

/** The request could not be sent at all. */
export const failureBeforeSending = (error: unknown) => failureOf("upstream_failed", String(error), { isSurelyFree: true });

/** A request that ended without an HTTP answer. `wasSent`: bytes of it had left, so the upstream may have worked. */
export function failureOfConnection(error: Error, wasSent: boolean): UpstreamFailure {
  const { code } = error as NodeJS.ErrnoException;
  const isTrust = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|HOSTNAME/i.test(code ?? "");
  return failureOf("upstream_failed", `${code ?? error.name}: ${error.message}`, {
    isSurelyFree: !wasSent,
    mayHaveCost: wasSent,
    isOperatorFault: isTrust,
  });
}
