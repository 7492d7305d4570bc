/**
 * Python libraries from their registry, unmodified, and the guide's programs for them, against the
 * running server: every part works, and the ledger has one charge for each call of a model.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KEY_PLACEHOLDER, type Sample } from "@/lib/client/samples";
import { textForms } from "@/lib/client/text-samples";
import { agentsSdk, aiSdkResponses, langChain, llamaIndex } from "@/lib/docs/client-libraries";
import { fromNpm } from "@/testing/clients/install";
import { pythonWithLibraries } from "@/testing/clients/python";
import { type ServedRelay, serveRelay } from "@/testing/relay/served-relay";
import type { TestRelay } from "@/testing/relay/test-relay";

const runFile = promisify(execFile);
const python = pythonWithLibraries();
const agents = fromNpm("@openai/agents", "0.20.0");
const RUN_MS = 60_000;

let served: ServedRelay;
let relay: TestRelay;
let folder = "";
let origin = "";
/** The operations before the test. */
let known = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "relay-clients-"));
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  served = await serveRelay();
  ({ relay, origin } = served);
});
beforeEach(async () => {
  known = (await relay.ends()).length;
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const place = () => ({ origin, baseUrl: `${origin}/v1` });

async function run(program: string, words: readonly string[], cwd = folder): Promise<string> {
  const env = {
    ...process.env,
    RELAY_API_KEY: "good",
    RELAY_BASE_URL: `${origin}/v1`,
    // Otherwise every run compiles the libraries again.
    PYTHONDONTWRITEBYTECODE: "",
  };
  const { stdout } = await runFile(program, words, { cwd, env, timeout: RUN_MS });
  return stdout;
}

async function runSample({ language, code }: Sample, cwd = folder): Promise<string> {
  const ending = { curl: "sh", python: "py", node: "mjs" }[language];
  const file = join(cwd, `sample.${ending}`);
  writeFileSync(file, code.replaceAll(KEY_PLACEHOLDER, "good"));
  const interpreter = "python" in python ? python.python : "";
  return run({ curl: "bash", python: interpreter, node: process.execPath }[language], [file], cwd);
}

/** The charges since the test began, and the orders that failed and cost nothing. */
async function expectCharges(count: number, free = 0): Promise<void> {
  const outcomes = (await relay.ends()).slice(known).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual([
    ...Array(free).fill("released"),
    ...Array(count).fill("settled"),
  ]);
}

test.for(["openai_library", "openai_videos", "anthropic_library", "langchain_library"])(
  "%s",
  { timeout: RUN_MS + 5000 },
  async (name, { skip }) => {
    if ("reason" in python) skip(python.reason);
    else {
      const file = join(import.meta.dirname, `../testing/clients/python/${name}.py`);
      const printed = await run(python.python, [file]);
      const [calls = 0, free] = printed.trim().split(" ").map(Number);
      expect(calls).toBeGreaterThanOrEqual(4);
      await expectCharges(calls, free);
    }
  },
);

test.for([
  ["LangChain", langChain, /blue[\s\S]*name=/i, 3],
  ["LlamaIndex", llamaIndex, /blue/i, 2],
] as const)(
  "the guide's program for %s runs unchanged",
  { timeout: RUN_MS + 5000 },
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
    const home = mkdtempSync(join(folder, "agents-"));
    symlinkSync(join(agents.folder, "node_modules"), join(home, "node_modules"));
    expect(await runSample(agentsSdk(place()), home)).toMatch(/sunny in \w+/i);
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
    const form = textForms(`${origin}/v1`, chat).find((each) => each.name === name);
    const sample = form?.samples.find((each) => each.language === language);
    expect(sample && (await runSample(sample))).toContain("2+3 = 5");
    await expectCharges(1);
    const { rows } = await relay.pool.query(
      "select dialect from operation order by id desc limit 1",
    );
    expect(rows).toEqual([{ dialect: name === "chat" ? null : name }]);
  },
);
