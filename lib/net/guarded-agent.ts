/**
 * An HTTP agent that connects to global addresses only. The check is made at connect time, on the
 * address that is connected to.
 */
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent } from "undici";
import { upstreamConnector } from "./connect-upstream";
import { isGlobalAddress } from "./global-address";

const CONNECT_MS = 10_000;

/** The error of a connection that was refused because its address is not allowed. */
export class AddressRefused extends Error {}

type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

const resolveBySystem: Resolve = (hostname, done) =>
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses ?? []));

/** A name counts as internal when any of its addresses is. */
function guardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses;
      const refused =
        error ??
        (first && addresses.every(({ address }) => isGlobalAddress(address))
          ? null
          : new AddressRefused("address"));
      if (refused || first === undefined) callback(refused, options.all ? [] : "", 0);
      else if (options.all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Requests through it fail with an `AddressRefused` as their cause when the host is not global. */
export function createGuardedAgent(resolve: Resolve = resolveBySystem): Agent {
  const connect = upstreamConnector({ timeout: CONNECT_MS, lookup: guardedLookup(resolve) });
  return new Agent({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      // A literal address is not looked up, so it is checked here.
      if (isIP(host) !== 0 && !isGlobalAddress(host))
        return callback(new AddressRefused("address"), null);
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        if (isGlobalAddress(socket.remoteAddress ?? "")) return callback(null, socket);
        socket.destroy();
        callback(new AddressRefused("address"), null);
      });
    },
  });
}
