/** The unmodified packages from npm that ask for text: each in every situation of the table. */
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import { aiSdk } from "@/testing/clients/libraries/ai-sdk";
import { anthropic } from "@/testing/clients/libraries/anthropic";
import { openaiChat, openaiResponses } from "@/testing/clients/libraries/openai";
import { openStage, type Stage, situationsOf } from "@/testing/clients/libraries/situations";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.begin());
afterAll(() => stage.close());

describe.each([openaiChat, openaiResponses, anthropic, ...aiSdk])("$name", (library) => {
  test.each(situationsOf(library))("%s", (_, { run }) => run(library, stage));
});
