/** The request for an upstream of the client's own API, written when the first channel needs it. */
import type { ChannelProtocol } from "../contract/states";
import type { SoldText } from "./text-asks";
import type { NativeRequest } from "./text-dialect";

/** Once for each model, and null at channels of other protocols. */
export function onceForModel(
  write: (sold: SoldText) => NativeRequest | null,
  speaks: (protocol: ChannelProtocol) => boolean,
): (sold: SoldText, protocol: ChannelProtocol) => NativeRequest | null {
  let last: { readonly sold: SoldText; readonly native: NativeRequest | null } | null = null;
  return (sold, protocol) => {
    if (!speaks(protocol)) return null;
    if (last?.sold !== sold) last = { sold, native: write(sold) };
    return last.native;
  };
}
