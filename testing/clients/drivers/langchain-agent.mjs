/** An agent of LangChain: completes the task of `server/agent-tasks.whole.test.ts` and prints what it did. */
import { ChatAnthropic } from "@langchain/anthropic";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";

const { api, form, origin, model, parameters, prompt } = JSON.parse(process.env.AGENT_TASK ?? "{}");
const looked = [];
const look = tool(
  ({ place }) => {
    looked.push(place);
    return `${place} is quiet`;
  },
  { name: "look", description: "Looks at a place", schema: parameters },
);
const settings = { model, apiKey: "good", maxRetries: 0 };
const openAi = (useResponsesApi) =>
  new ChatOpenAI({ ...settings, useResponsesApi, configuration: { baseURL: `${origin}/v1` } });
const models = {
  chat: () => openAi(false),
  responses: () => openAi(true),
  messages: () => new ChatAnthropic({ ...settings, maxTokens: 500, anthropicApiUrl: origin }),
};
const bound = models[api]().bindTools([look]);

async function answerTo(messages) {
  if (form === "plain") return bound.invoke(messages);
  let whole;
  for await (const piece of await bound.stream(messages))
    whole = whole === undefined ? piece : whole.concat(piece);
  return whole;
}

const messages = [new SystemMessage("You look at places."), new HumanMessage(prompt)];
let answer;
for (let step = 0; step < 5; step++) {
  answer = await answerTo(messages);
  messages.push(answer);
  if (answer.tool_calls.length === 0) break;
  for (const call of answer.tool_calls) messages.push(await look.invoke(call));
}
process.stdout.write(JSON.stringify({ text: answer.text, looked }));
