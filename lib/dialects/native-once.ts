/** The request for an upstream of the client's own API, written when the first channel needs it. */
import type { ChannelProtocol } from "../contract/states";
import type { SoldText } from "./text-asks";
import type { JsonObject, NativeRequest } from "./text-dialect";

/** The text of a body, before which `own` puts what depends on the model and the cap. */
export function nativeText(
  body: JsonObject,
  own: (model: string, capTokens: number) => JsonObject,
): Pick<NativeRequest, "input" | "bytes" | "text"> {
  const input = JSON.stringify(body);
  return {
    input,
    bytes: Buffer.byteLength(input),
    text: (model, capTokens) =>
      `${JSON.stringify(own(model, capTokens)).slice(0, -1)},${input.slice(1)}`,
  };
}

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
