/** An agent of AI SDK 7: completes the task of `server/agent-tasks.whole.test.ts` and prints what it did. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";

const { api, form, origin, model, parameters, prompt } = JSON.parse(process.env.AGENT_TASK ?? "{}");
const looked = [];
const look = tool({
  description: "Looks at a place",
  inputSchema: jsonSchema(parameters),
  execute: ({ place }) => {
    looked.push(place);
    return `${place} is quiet`;
  },
});
const settings = { apiKey: "good", baseURL: `${origin}/v1` };
const models = {
  chat: () => createOpenAICompatible({ name: "relay", ...settings })(model),
  responses: () => createOpenAI(settings).responses(model),
  messages: () => createAnthropic(settings)(model),
};
const task = {
  model: models[api](),
  tools: { look },
  instructions: "You look at places.",
  prompt,
  stopWhen: isStepCount(5),
  maxRetries: 0,
};
const text = form === "plain" ? (await generateText(task)).text : await streamText(task).text;
process.stdout.write(JSON.stringify({ text, looked }));
