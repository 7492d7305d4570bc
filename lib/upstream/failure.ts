/** Builds the failure of an attempt, also of one that got no HTTP answer. */
import { errorCode } from "../failures/relay-error";
import type { CredentialFault, UpstreamFailure } from "./provider";

/**
 * A failure with the defaults: it may have cost something but probably did not, and it is the
 * upstream's own.
 */
export function failureOf(
  code: UpstreamFailure["code"],
  internal: string,
  detail: Partial<UpstreamFailure> = {},
): UpstreamFailure {
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

/**
 * A failure of our credential, account, quota or configuration: never the client's fault.
 * `credentialFault`: another credential of the channel may work.
 */
export const ourFault = (internal: string, credentialFault?: CredentialFault) =>
  failureOf("no_channel_available", internal, {
    isSurelyFree: true,
    isOperatorFault: true,
    ...(credentialFault && { credentialFault }),
  });

/** The failure of a request that could not be sent at all. */
export const failureBeforeSending = (error: unknown) =>
  failureOf("upstream_failed", String(error), { isSurelyFree: true });

/**
 * The failure of a request that ended without an HTTP answer. `wasSent`: some of its bytes had
 * left, so the upstream may have done the work.
 */
export function failureOfConnection(error: Error, wasSent: boolean): UpstreamFailure {
  const code = errorCode(error);
  const isTrust = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|HOSTNAME|PROXY_REFUSED/i.test(
    String(code ?? ""),
  );
  return failureOf("upstream_failed", `${code ?? error.name}: ${error.message}`, {
    isSurelyFree: !wasSent,
    mayHaveCost: wasSent,
    isOperatorFault: isTrust,
  });
}
