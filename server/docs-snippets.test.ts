/**
 * Runs every code sample of the documentation with the program it is written for, and checks that
 * it does what its page says.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signatureHeaders } from "@/lib/callbacks/signature";
import { builtInModels as models } from "@/lib/catalog/built-in";
import type { Sample } from "@/lib/client/samples";
import { librarySnippets } from "@/lib/docs/library-snippets";
import { chat, image, snippets } from "@/lib/docs/snippets";
import { task, videoSnippets } from "@/lib/docs/video-snippets";
import { RelayError } from "@/lib/errors";
import { refusing } from "@/lib/http/serve";
import { isRunnable, programs } from "@/testing/clients/programs";
import { type ServedRelay, serveRelay } from "@/testing/relay/served-relay";

const runFile = promisify(execFile);
const all = { ...snippets, ...videoSnippets, ...librarySnippets };
type Name = keyof typeof all;
/** What a run must print, or the marker it leaves when it prints nothing. */
const printed: Readonly<Record<Exclude<Name, "callbackReceiver" | "environment">, RegExp>> = {
  chat: /blue/i,
  stream: /5[\s\S]*tokens/,
  models: /"super-relay-2\.5"/,
  image: /\/v1\/media\/\S+\.png/,
  imageByRatio: /2560x1440/,
  imageFromImages: /\/v1\/media\//,
  imageAsData: /^$/,
  limitHeaders: /x-ratelimit-limit-requests: \d+[\s\S]*x-ratelimit-remaining-requests: \d+/i,
  ownKey: /"callback_secret":"whsec_/,
  failure: /model_not_found/,
  quote: /500\.94/,
  balance: /"available_points":\d/,
  usageFile: /^$/,
  waitingCall: /\/v1\/media\/\S+\.mp4/,
  task: /\/v1\/media\/\S+\.mp4/,
  firstFrame: /"id":"cgt-/,
  references: /"id":"cgt-/,
  withCallback: /"id":"cgt-/,
  retry: /hello/i,
  unchanged: /Super-Relay-Image/,
  aiSdk: /tokens\n\d+ bytes/,
};

let served: ServedRelay;
let folder = "";
let origin = "";
/** The number of requests still to be refused, as by a busy installation. */
let refusals = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "relay-snippets-"));
  symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
  served = await serveRelay(() => {
    if (refusals === 0) return undefined;
    refusals--;
    return refusing(new RelayError("service_busy", { retryAfterSeconds: 1 }));
  });
  origin = served.origin;
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const place = () => ({ origin, baseUrl: `${origin}/v1` });
const environment = () => ({
  ...process.env,
  RELAY_API_KEY: "good",
  OPENAI_BASE_URL: `${origin}/v1`,
  OPENAI_API_KEY: "good",
});
let files = 0;

function written({ language, code }: Sample): [program: string, file: string] {
  const [program, ending] = programs[language];
  const file = join(folder, `snippet-${++files}.${ending}`);
  writeFileSync(file, code);
  return [program, file];
}

async function run(sample: Sample): Promise<string> {
  const [program, file] = written(sample);
  const { stdout } = await runFile(program, [file], {
    cwd: folder,
    env: environment(),
    timeout: 50_000,
  });
  return stdout;
}

/** The languages of each sample, which must be known before the server has an address. */
const nowhere = { origin: "http://relay.invalid", baseUrl: "http://relay.invalid/v1" };
const cases = (Object.keys(printed) as (keyof typeof printed)[]).flatMap((name) =>
  all[name](nowhere).map(({ language }) => ({ name, language })),
);

test.for(cases)(
  "$name in $language runs unchanged and prints what its page says",
  { timeout: 60_000 },
  async ({ name, language }, { skip }) => {
    const sample = all[name](place()).find((each) => each.language === language) as Sample;
    if (!isRunnable(sample)) skip(`nothing here runs ${language} with its library`);
    if (name === "retry") refusals = 1;
    expect(await run(sample)).toMatch(printed[name]);
    if (name === "usageFile")
      expect(readFileSync(join(folder, "usage.csv"), "utf8")).toMatch(/^model,.*points/);
    if (name === "imageAsData")
      expect(readFileSync(join(folder, "boat.png")).subarray(1, 4).toString()).toBe("PNG");
  },
);

test("the snippet on every model's page runs", async () => {
  const bySort = { text: chat, video: task, image };
  const runs = models.map(async (model) => {
    const sample = bySort[model.family](place(), model.alias).find(
      ({ language }) => language === "node",
    ) as Sample;
    expect(await run(sample), model.id).toMatch(/blue|\/v1\/media\//i);
  });
  await Promise.all(runs);
}, 120_000);

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function post(port: number, headers: Record<string, string>, body: string): Promise<number> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers,
      body,
    }).catch(() => null);
    if (answer) return answer.status;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

test.for(
  videoSnippets.callbackReceiver(nowhere).map((sample) => ({ sample, language: sample.language })),
)(
  "the callback receiver in $language accepts our callbacks and refuses forged and old ones",
  { timeout: 60_000 },
  async ({ sample }, { skip }) => {
    if (!isRunnable(sample)) skip("its program is not here");
    const secret = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
    const port = await freePort();
    const [program, file] = written(sample);
    const receiver = spawn(program, [file], {
      env: { ...environment(), PORT: String(port), RELAY_CALLBACK_SECRET: secret },
    });
    const exited = once(receiver, "exit");
    let said = "";
    receiver.stdout.on("data", (part) => {
      said += part;
    });
    try {
      const body = JSON.stringify({
        id: "cgt-1",
        status: "succeeded",
        content: { video_url: "https://example.com/é.mp4" },
      });
      const now = Math.floor(Date.now() / 1000);
      expect(await post(port, signatureHeaders([secret], "msg_1", now, body), body)).toBe(204);
      expect(
        await post(
          port,
          signatureHeaders([secret], "msg_1", now, body),
          body.replace("cgt-1", "cgt-2"),
        ),
      ).toBe(400);
      expect(await post(port, signatureHeaders([secret], "msg_1", now - 600, body), body)).toBe(
        400,
      );
      expect(said.trim()).toBe("cgt-1 succeeded");
    } finally {
      receiver.kill();
      await exited;
    }
  },
);
