/** The unmodified packages from npm that ask for text: each in every situation of the table. */
import { beforeEach, describe, test } from "vitest";
import { aiSdk } from "@/testing/clients/libraries/ai-sdk";
import { anthropic } from "@/testing/clients/libraries/anthropic";
import { openaiChat, openaiResponses } from "@/testing/clients/libraries/openai";
import { openStage, situationsOf } from "@/testing/clients/libraries/situations";
import { opened } from "@/testing/unit/opened";

const stage = await opened(openStage());
beforeEach(() => stage.begin());

describe.each([openaiChat, openaiResponses, anthropic, ...aiSdk])("$name", (library) => {
  test.each(situationsOf(library))("%s", (_, { run }) => run(library, stage));
});
