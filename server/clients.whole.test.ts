/**
 * Python libraries from their registry, unmodified, and the guide's programs for them, against the
 * running server: every part works, and the ledger has one charge for each call of a model.
 */
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { KEY_PLACEHOLDER, type Sample } from "@/lib/client/samples";
import { textForms } from "@/lib/client/text-samples";
import { agentsSdk, aiSdkResponses, langChain, llamaIndex } from "@/lib/docs/client-libraries";
import { fromNpm } from "@/testing/clients/install";
import { pythonLibraries, pythonPath } from "@/testing/clients/libraries/python";
import { openStage, situationsOf } from "@/testing/clients/libraries/situations";
import { pythonWithLibraries } from "@/testing/clients/python";
import { sampleRunner } from "@/testing/clients/run-samples";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

const runFile = promisify(execFile);
const python = pythonWithLibraries();
const agents = fromNpm("@openai/agents", "0.20.0");
const RUN_MS = 60_000;

const stage = await opened(openStage());
beforeEach(() => stage.begin());

const environment = () => ({
  ...process.env,
  PYTHONPATH: pythonPath,
  RELAY_API_KEY: "good",
  RELAY_BASE_URL: `${stage.origin}/v1`,
});
const runner = await opened(sampleRunner(environment()));
const place = () => ({ origin: stage.origin, baseUrl: `${stage.origin}/v1` });

const withKey = (sample: Sample) => ({
  ...sample,
  code: sample.code.replaceAll(KEY_PLACEHOLDER, "good"),
});
const runSample = (sample: Sample) => runner.run(withKey(sample));

/** The charges since the test began, and the orders that failed and cost nothing. */
async function expectCharges(count: number, free = 0): Promise<void> {
  const outcomes = (await stage.ends()).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual([
    ...Array(free).fill("released"),
    ...Array(count).fill("settled"),
  ]);
}

const libraries = pythonLibraries(() => runner.run);

describe.skipIf("reason" in python).each(libraries)("$name in Python", (library) => {
  test.each(situationsOf(library))("%s", { timeout: RUN_MS }, (_, { run }) => run(library, stage));
});

test.for(["openai_videos", "more_calls"])("%s", { timeout: RUN_MS }, async (name, { skip }) => {
  if ("reason" in python) skip(python.reason);
  const code = readFileSync(join(pythonPath, `${name}.py`), "utf8");
  const [calls = 0, free] = (await runSample({ language: "python", code })).split(" ").map(Number);
  expect(calls).toBeGreaterThanOrEqual(4);
  await expectCharges(calls, free);
});

test.for([
  ["LangChain", langChain, /blue[\s\S]*name=/i, 3],
  ["LlamaIndex", llamaIndex, /blue/i, 2],
] as const)(
  "the guide's program for %s runs unchanged",
  { timeout: RUN_MS },
  async ([, programAt, printed, calls], { skip }) => {
    if ("reason" in python) skip(python.reason);
    expect(await runSample(programAt(place()))).toMatch(printed);
    await expectCharges(calls);
  },
);

test("the guide's program for the AI SDK runs unchanged", async () => {
  expect(await runSample(aiSdkResponses(place()))).toMatch(/blue.* \d+ tokens/is);
  await expectCharges(1);
});

test("the guide's program for the OpenAI Agents SDK runs unchanged", async ({ skip }) => {
  if ("reason" in agents) skip(agents.reason);
  else {
    const [program, file] = runner.written(withKey(agentsSdk(place())));
    const home = newFolder("agents");
    symlinkSync(join(agents.folder, "node_modules"), join(home, "node_modules"));
    copyFileSync(file, join(home, "sample.mjs"));
    const options = { cwd: home, env: environment(), timeout: RUN_MS };
    const { stdout } = await runFile(program, [join(home, "sample.mjs")], options);
    expect(stdout).toMatch(/sunny in \w+/i);
    await expectCharges(2);
  }
});

const chat = {
  model: "RelayV1",
  messages: [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: "It's 2+3" },
  ],
  max_tokens: 200,
  temperature: 0.5,
};
const nowhere = "http://relay.invalid/v1";
const cases = textForms(nowhere, chat).flatMap(({ name, samples }) =>
  samples.map(({ language }) => [name, language] as const),
);

test.for(cases)(
  "the playground's chat as code: %s in %s",
  { timeout: RUN_MS },
  async ([name, language], { skip }) => {
    if (language === "python" && "reason" in python) skip(python.reason);
    const form = textForms(`${stage.origin}/v1`, chat).find((each) => each.name === name);
    const sample = form?.samples.find((each) => each.language === language);
    expect(sample && (await runSample(sample))).toContain("2+3 = 5");
    await expectCharges(1);
    const { rows } = await stage.relay.pool.query(
      "select dialect from request_known order by id desc limit 1",
    );
    expect(rows).toEqual([{ dialect: name === "chat" ? null : name }]);
  },
);
