/** Of forms and fields that are not known. */
import { gemini, type KnownRefusal, mistral, notKnown, openAi } from "./refusal";

export const unread: readonly KnownRefusal[] = [
  notKnown(
    ["DeepSeek", "earendil-works/pi#1048"],
    openAi(
      "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 85",
    ),
    "developer",
  ),
  notKnown(
    ["Qwen at DashScope", "DayuanJiang/next-ai-draw-io#304"],
    openAi(
      "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0].role'",
    ),
    "developer",
  ),
  notKnown(
    ["GLM at Zhipu", "vastsa/PI-Desktop#30"],
    openAi("[1214] Incorrect role information"),
    "developer",
  ),
  notKnown(
    ["llama.cpp, by its template", "peonist-ai/halogen-flash-server#32", 500],
    openAi("chat template rejected the request: Unexpected message role."),
    "developer",
  ),
  notKnown(
    ["DeepSeek, of parts", "cline/cline#230", 422],
    openAi(
      "Failed to deserialize the JSON body into the target type: messages[1]: invalid type: sequence, expected a string at line 17 column 3",
    ),
    "content_parts",
  ),
  notKnown(
    ["Qwen at a reseller, of parts", "CherryHQ/cherry-studio#3474"],
    { code: 20015, message: "Input should be a valid string", data: null },
    "content_parts",
    "content_null",
  ),
  notKnown(
    ["LM Studio, of null", "lmstudio-ai/lmstudio-bug-tracker#261"],
    { error: "Invalid 'content': 'content' field must be a string or an array of objects." },
    "content_null",
  ),
  notKnown(
    ["DeepSeek, of a schema", "llm-exe/llm-exe#662"],
    openAi("This response_format type is unavailable now", "invalid_request_error"),
    "json_schema",
  ),
  notKnown(
    ["DeepSeek, of a schema, earlier", "browser-use/browser-use#215", 422],
    openAi(
      "Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 12440",
    ),
    "json_schema",
  ),
  notKnown(
    ["OpenAI, of the old cap", "microsoft/clarity-agent#59"],
    openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
      "max_tokens",
    ),
    "max_tokens",
  ),
  notKnown(
    ["Azure, of parallel calls", "Azure/azure-rest-api-specs#29545"],
    openAi(
      "Unrecognized request argument supplied: parallel_tool_calls. Please contact us through an Azure support request.",
    ),
    "parallel_tool_calls",
  ),
  notKnown(
    ["Azure, of effort", "run-llama/llama_index#17731"],
    openAi("Unknown parameter: 'reasoning_effort'.", "unknown_parameter", "reasoning_effort"),
    "reasoning_effort",
  ),
  notKnown(
    ["Groq, of store", "fanenr/chatbot#21"],
    {
      error: {
        message: "property 'store' is unsupported, did you mean 'stop'?",
        type: "invalid_request_error",
      },
    },
    "store",
  ),
  notKnown(
    ["Groq, of thinking", "janhq/jan#8136"],
    openAi(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    "reasoning_content",
  ),
  notKnown(
    ["Cerebras, of thinking", "Kilo-Org/kilocode#10375"],
    {
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      type: "invalid_request_error",
      param: "validation_error",
      code: "wrong_api_format",
    },
    "reasoning_content",
  ),
  notKnown(
    ["Mistral, of two fields", "Gitlawb/openclaude#739", 422],
    mistral("store", "max_completion_tokens"),
    "store",
    "max_completion_tokens",
  ),
  notKnown(
    ["Mistral, within a message", "editor-code-assistant/eca#231", 422],
    {
      object: "error",
      message: mistral("max_completion_tokens"),
      type: "invalid_request_error",
      param: null,
      code: null,
    },
    "max_completion_tokens",
  ),
  notKnown(
    ["Gemini, of strict", "router-for-me/CLIProxyAPI#102"],
    gemini(
      "Invalid JSON payload received. Unknown name \"strict\" at 'request.tools[0].function_declarations[0]': Cannot find field.",
    ),
    "strict",
  ),
];
