/** Of fields that newer models lack, or whose values they do not know. */
import { anthropic, type KnownRefusal, notKnown } from "./refusal";

export const ofThinking: readonly KnownRefusal[] = [
  notKnown(
    ["Anthropic, of thinking with a budget", "zhukunpenglinyutong/jetbrains-cc-gui#1003"],
    anthropic(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    ),
    "thinking_enabled",
  ),
  notKnown(
    ["Anthropic, of thinking as it chooses", "diegosouzapw/OmniRoute#1563"],
    anthropic("adaptive thinking is not supported on this model"),
    "thinking_adaptive",
  ),
  notKnown(
    ["Bedrock behind LiteLLM, of two ways to choose", "skydiscover-ai/skydiscover#15"],
    {
      error: {
        message:
          'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: `temperature` and `top_p` cannot both be specified for this model. Please use only one."}',
        type: null,
        param: null,
        code: "400",
      },
    },
    "sampling_pair",
  ),
  notKnown(
    ["SGLang, of an effort", "router-for-me/CLIProxyAPI#1572"],
    {
      object: "error",
      message:
        "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\", 'input': 'xhigh', 'ctx': {'expected': \"'low', 'medium' or 'high'\"}}\n\n  File \"/sgl-workspace/http_server.py\", line 1324, in openai_v1_chat_completions",
      type: "Bad Request",
      param: null,
      code: 400,
    },
    "effort_word",
  ),
];
