/** Of forms and fields that are not known. */
import { gemini, type KnownRefusal, mistral, openAi, refusal } from "./refusal";

export const unread: readonly KnownRefusal[] = [
  refusal(
    "DeepSeek",
    "earendil-works/pi#1048",
    400,
    openAi(
      "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 85",
    ),
    "unsupported_value",
    { unread: ["developer"] },
  ),
  refusal(
    "Qwen at DashScope",
    "DayuanJiang/next-ai-draw-io#304",
    400,
    openAi(
      "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0].role'",
    ),
    "unsupported_value",
    { unread: ["developer"] },
  ),
  refusal(
    "GLM at Zhipu",
    "vastsa/PI-Desktop#30",
    400,
    openAi("[1214] Incorrect role information"),
    "unsupported_value",
    { unread: ["developer"] },
  ),
  refusal(
    "llama.cpp, by its template",
    "peonist-ai/halogen-flash-server#32",
    500,
    openAi("chat template rejected the request: Unexpected message role."),
    "unsupported_value",
    { unread: ["developer"] },
  ),
  refusal(
    "DeepSeek, of parts",
    "cline/cline#230",
    422,
    openAi(
      "Failed to deserialize the JSON body into the target type: messages[1]: invalid type: sequence, expected a string at line 17 column 3",
    ),
    "unsupported_value",
    { unread: ["content_parts"] },
  ),
  refusal(
    "Qwen at a reseller, of parts",
    "CherryHQ/cherry-studio#3474",
    400,
    { code: 20015, message: "Input should be a valid string", data: null },
    "unsupported_value",
    { unread: ["content_parts", "content_null"] },
  ),
  refusal(
    "LM Studio, of null",
    "lmstudio-ai/lmstudio-bug-tracker#261",
    400,
    { error: "Invalid 'content': 'content' field must be a string or an array of objects." },
    "unsupported_value",
    { unread: ["content_null"] },
  ),
  refusal(
    "DeepSeek, of a schema",
    "llm-exe/llm-exe#662",
    400,
    openAi("This response_format type is unavailable now", "invalid_request_error"),
    "unsupported_value",
    { unread: ["json_schema"] },
  ),
  refusal(
    "DeepSeek, of a schema, earlier",
    "browser-use/browser-use#215",
    422,
    openAi(
      "Failed to deserialize the JSON body into the target type: response_format: response_format.type `json_schema` is unavailable now at line 1 column 12440",
    ),
    "unsupported_value",
    { unread: ["json_schema"] },
  ),
  refusal(
    "OpenAI, of the old cap",
    "microsoft/clarity-agent#59",
    400,
    openAi(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
      "max_tokens",
    ),
    "unsupported_value",
    { unread: ["max_tokens"] },
  ),
  refusal(
    "Azure, of parallel calls",
    "Azure/azure-rest-api-specs#29545",
    400,
    openAi(
      "Unrecognized request argument supplied: parallel_tool_calls. Please contact us through an Azure support request.",
    ),
    "unsupported_value",
    { unread: ["parallel_tool_calls"] },
  ),
  refusal(
    "Azure, of effort",
    "run-llama/llama_index#17731",
    400,
    openAi("Unknown parameter: 'reasoning_effort'.", "unknown_parameter", "reasoning_effort"),
    "unsupported_value",
    { unread: ["reasoning_effort"] },
  ),
  refusal(
    "Groq, of store",
    "fanenr/chatbot#21",
    400,
    {
      error: {
        message: "property 'store' is unsupported, did you mean 'stop'?",
        type: "invalid_request_error",
      },
    },
    "unsupported_value",
    { unread: ["store"] },
  ),
  refusal(
    "Groq, of thinking",
    "janhq/jan#8136",
    400,
    openAi(
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ),
    "unsupported_value",
    { unread: ["reasoning_content"] },
  ),
  refusal(
    "Cerebras, of thinking",
    "Kilo-Org/kilocode#10375",
    400,
    {
      message:
        "messages.2.assistant.reasoning_content: property 'messages.2.assistant.reasoning_content' is unsupported",
      type: "invalid_request_error",
      param: "validation_error",
      code: "wrong_api_format",
    },
    "unsupported_value",
    { unread: ["reasoning_content"] },
  ),
  refusal(
    "Mistral, of two fields",
    "Gitlawb/openclaude#739",
    422,
    mistral("store", "max_completion_tokens"),
    "unsupported_value",
    { unread: ["store", "max_completion_tokens"] },
  ),
  refusal(
    "Mistral, within a message",
    "editor-code-assistant/eca#231",
    422,
    {
      object: "error",
      message: mistral("max_completion_tokens"),
      type: "invalid_request_error",
      param: null,
      code: null,
    },
    "unsupported_value",
    { unread: ["max_completion_tokens"] },
  ),
  refusal(
    "Gemini, of strict",
    "router-for-me/CLIProxyAPI#102",
    400,
    gemini(
      "Invalid JSON payload received. Unknown name \"strict\" at 'request.tools[0].function_declarations[0]': Cannot find field.",
    ),
    "unsupported_value",
    { unread: ["strict"] },
  ),
];
