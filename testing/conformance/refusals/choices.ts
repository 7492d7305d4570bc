/** Of the choice among tools, their schemas, and fields that models which think do not take. */
import {
  badHistory,
  badSchema,
  dashScope,
  gemini,
  type KnownRefusal,
  notKnown,
  oldVllm,
  openAi,
} from "./refusal";

const choice = (maker: string, thread: string, message: string) =>
  notKnown([`${maker}, of a forced call`, thread], openAi(message), "tool_choice");

const choices: readonly KnownRefusal[] = [
  choice(
    "DeepSeek",
    "deepseek-ai/DeepSeek-R1#836",
    "deepseek-reasoner does not support this tool_choice",
  ),
  choice(
    "DeepSeek behind a gateway",
    "can1357/oh-my-pi#945",
    "Error from provider (DeepSeek): deepseek-reasoner does not support this `tool_choice`",
  ),
  choice(
    "DeepSeek, later",
    "shareAI-lab/Kode-CLI#182",
    "Thinking mode does not support this tool_choice",
  ),
  choice(
    "Kimi",
    "can1357/oh-my-pi#827",
    "tool_choice 'specified' is incompatible with thinking enabled",
  ),
  choice(
    "Kimi, without quotes",
    "can1357/oh-my-pi#1077",
    "tool_choice specified is incompatible with thinking enabled",
  ),
  choice(
    "an unnamed provider",
    "can1357/oh-my-pi#4715",
    "Only a tool_choice of 'auto' is supported for this model.",
  ),
  choice(
    "Meta",
    "justrach/codegraff#751",
    'only "auto" is supported for `tool_choice`. "none", "required", and named function choices are not currently supported',
  ),
  choice(
    "a Responses API behind a gateway",
    "router-for-me/CLIProxyAPI#4769",
    "Invalid value: 'auto'. Supported values are: 'code_interpreter', 'programmatic_tool_calling'.",
  ),
  notKnown(
    ["Qwen at DashScope, of a forced call", "cloudwego/eino#994"],
    dashScope(
      "InvalidParameter: The tool_choice parameter does not support being set to required or object in thinking mode",
    ),
    "tool_choice",
  ),
  notKnown(
    ["Bedrock, of a forced call", "can1357/oh-my-pi#341"],
    {
      message:
        "The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.",
    },
    "tool_choice",
  ),
];

const schema = (maker: string, thread: string, message: string) =>
  badSchema([`Gemini, of ${maker}`, thread], gemini(message), {
    unread: ["tool_schema"],
  });

const schemas: readonly KnownRefusal[] = [
  schema(
    "`additionalProperties`",
    "promptfoo/promptfoo#6902",
    "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
  ),
  schema(
    "`$schema`",
    "symfony/ai#2037",
    "Invalid JSON payload received. Unknown name \"$schema\" at 'tools[0].function_declarations[3].parameters': Cannot find field.",
  ),
  schema(
    "`propertyNames`",
    "zendev-sh/zenflow#14",
    "Invalid JSON payload received. Unknown name \"propertyNames\" at 'tools[0].function_declarations[4].parameters.properties[7].value.properties[3].value': Cannot find field.",
  ),
  schema(
    "a list of types",
    "n8n-io/n8n#15553",
    "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[1].parameters.properties[1].value': Proto field is not repeating, cannot start list.",
  ),
];

const notWithModel = (name: string) =>
  openAi(
    `Unsupported parameter: '${name}' is not supported with this model.`,
    "unsupported_parameter",
    name,
  );

const fields: readonly KnownRefusal[] = [
  notKnown(["OpenAI, of a stop", "langgenius/dify#18971"], notWithModel("stop"), "stop"),
  notKnown(
    ["xAI, of a stop", "BerriAI/litellm#12635"],
    {
      code: "Client specified an invalid argument",
      error: "Argument not supported on this model: stop",
    },
    "stop",
  ),
  notKnown(
    ["OpenAI, of probabilities", "UKGovernmentBEIS/inspect_ai#2739"],
    notWithModel("logprobs"),
    "logprobs",
  ),
  notKnown(
    ["mlx-vlm, of JSON without a schema", "Blaizzy/mlx-vlm#1171"],
    { detail: "Unsupported response_format type: 'json_object'" },
    "json_object",
  ),
  notKnown(
    ["lmdeploy, of JSON without a schema", "InternLM/lmdeploy#4079"],
    oldVllm("unsupported format type: json_object"),
    "json_object",
  ),
];

const histories: readonly KnownRefusal[] = [
  badHistory(
    ["llama.cpp, of two answers at the end", "hotovo/aider-desk#801"],
    openAi("Cannot have 2 or more assistant messages at the end of the list."),
  ),
  badHistory(["OpenRouter, without the details of thinking", "massgen/MassGen#624"], {
    error: {
      message: "Provider returned error",
      code: 400,
      metadata: {
        raw: "Gemini models require OpenRouter reasoning details to be preserved in each request. Please refer to our docs.",
        provider_name: "Google AI Studio",
      },
    },
  }),
  badSchema(
    ["Gemini, of a name", "router-for-me/CLIProxyAPI#218"],
    gemini(
      "The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[15].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore.",
    ),
  ),
];

export const ofChoices: readonly KnownRefusal[] = [...choices, ...schemas, ...fields, ...histories];
