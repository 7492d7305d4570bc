/** The kinds of channels of each source that speak a protocol of ours. */
import type { ChannelProtocol } from "../contract/states";
import type { Product } from "./book";

export interface ChannelType {
  readonly protocol: ChannelProtocol;
  /** Where it leads when the channel names no address; empty: it must. */
  readonly base: string;
  /** What the source adds to the address before the endpoint. */
  readonly path: string;
}

const speaking =
  (protocol: ChannelProtocol, path: string) =>
  (base: string): ChannelType => ({ protocol, base, path });
const openai = speaking("openai", "/v1");
const ark = speaking("ark", "/api/v3");
const at = (base: string, path: string): ChannelType => ({ protocol: "openai", base, path });

const shared: Readonly<Record<string, ChannelType>> = {
  1: openai("https://api.openai.com"),
  6: openai("https://api.openaimax.com"),
  7: openai("https://api.ohmygpt.com"),
  12: openai("https://api.api2gpt.com"),
  13: openai("https://api.aigc2d.com"),
  14: speaking("anthropic", "/v1")("https://api.anthropic.com"),
  17: at("https://dashscope.aliyuncs.com", "/compatible-mode/v1"),
  20: openai("https://openrouter.ai/api"),
  24: at("https://generativelanguage.googleapis.com", "/v1beta/openai"),
  25: openai("https://api.moonshot.cn"),
  31: openai("https://api.lingyiwanwu.com"),
};

/** By the number of the type. */
export const channelTypes: Readonly<Record<Product, Readonly<Record<string, ChannelType>>>> = {
  "new-api": {
    ...shared,
    4: openai("http://localhost:11434"),
    26: at("https://open.bigmodel.cn", "/api/paas/v4"),
    27: at("https://api.perplexity.ai", ""),
    40: openai("https://api.siliconflow.cn"),
    42: openai("https://api.mistral.ai"),
    43: openai("https://api.deepseek.com"),
    45: ark("https://ark.cn-beijing.volces.com"),
    47: openai(""),
    48: openai("https://api.x.ai"),
  },
  "one-api": {
    ...shared,
    4: openai("https://api.closeai-proxy.xyz"),
    5: openai("https://api.openai-sb.com"),
    8: openai(""),
    16: at("https://open.bigmodel.cn", "/api/paas/v4"),
    28: openai("https://api.mistral.ai"),
    29: openai("https://api.groq.com/openai"),
    30: openai("http://localhost:11434"),
    32: openai("https://api.stepfun.com"),
    36: openai("https://api.deepseek.com"),
    39: openai("https://api.together.xyz"),
    40: ark("https://ark.cn-beijing.volces.com"),
  },
};

/** The address with the path that the source adds, once. */
export function addressOf({ base, path }: ChannelType, given: string): string {
  const address = (given.trim() || base).replace(/(?<!\/)\/+$/, "");
  return address === "" || path === "" || address.endsWith(path) ? address : address + path;
}
