/** Short programs for libraries and frameworks. A test runs each of them. */
import { exampleText } from "../catalog/example-models";
import type { Sample } from "../client/samples";
import type { Place } from "./code";

const key = `os.environ["RELAY_API_KEY"]`;

export const langChain = ({ baseUrl }: Place): Sample => ({
  language: "python",
  code: `# pip install langchain-openai
import os
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

relay = {"base_url": "${baseUrl}", "api_key": ${key}}
chat = ChatOpenAI(model="${exampleText()}", **relay)
print(chat.invoke("Why is the sky blue?").content)

responses = ChatOpenAI(model="${exampleText()}", use_responses_api=True, **relay)
for part in responses.stream("Count to five."):
    print(part.text, end="", flush=True)

class City(BaseModel):
    name: str

print(chat.with_structured_output(City).invoke("Name a city."))`,
});

export const llamaIndex = ({ baseUrl }: Place): Sample => ({
  language: "python",
  code: `# pip install llama-index-llms-openai-like
import os
from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    model="${exampleText()}",
    api_base="${baseUrl}",
    api_key=${key},
    is_chat_model=True,
    is_function_calling_model=True,
    context_window=128_000,
)
print(llm.complete("Why is the sky blue?"))
for part in llm.stream_complete("Count to five."):
    print(part.delta, end="", flush=True)`,
});

export const aiSdkResponses = ({ baseUrl }: Place): Sample => ({
  language: "node",
  code: `// npm install ai @ai-sdk/openai
import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const relay = createOpenAI({ baseURL: "${baseUrl}", apiKey: process.env.RELAY_API_KEY });
const { text, totalUsage } = await generateText({
  model: relay("${exampleText()}"),
  prompt: "Why is the sky blue?",
});
console.log(text, totalUsage.totalTokens, "tokens");`,
});

export const agentsSdk = ({ baseUrl }: Place): Sample => ({
  language: "node",
  code: `// npm install @openai/agents openai zod
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from "@openai/agents";
import OpenAI from "openai";
import { z } from "zod";

setDefaultOpenAIClient(new OpenAI({ baseURL: "${baseUrl}", apiKey: process.env.RELAY_API_KEY }));
setTracingDisabled(true); // traces would be sent to OpenAI

const weather = tool({
  name: "get_weather",
  description: "The weather of a city",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => \`It is sunny in \${city}.\`,
});
const agent = new Agent({ name: "Helper", model: "${exampleText()}", tools: [weather] });
const { finalOutput } = await run(agent, "Use get_weather for Rome.");
console.log(finalOutput);`,
});
