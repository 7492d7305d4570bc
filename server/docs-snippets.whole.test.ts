/**
 * Runs the code samples of the documentation with the programs they are written for, and checks that
 * each does what its page says.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signatureHeaders } from "@/lib/callbacks/signature";
import { builtInModels as models } from "@/lib/catalog/built-in";
import type { Sample } from "@/lib/client/samples";
import { librarySnippets } from "@/lib/docs/library-snippets";
import { chat, image, snippets } from "@/lib/docs/snippets";
import { task, videoSnippets } from "@/lib/docs/video-snippets";
import { RelayError } from "@/lib/failures/relay-error";
import { refusing } from "@/lib/http/serve";
import { isRunnable } from "@/testing/clients/programs";
import { sampleRunner } from "@/testing/clients/run-samples";
import { serveRelay } from "@/testing/relay/served-relay";
import { freePort } from "@/testing/stage/listen";
import { opened } from "@/testing/unit/opened";

const all = { ...snippets, ...videoSnippets, ...librarySnippets };
type Name = keyof typeof all;
/** What a run must print, or the marker it leaves when it prints nothing. */
const printed: Readonly<Record<Exclude<Name, "callbackReceiver" | "environment">, RegExp>> = {
  chat: /blue/i,
  stream: /^ 55 tokens$|"total_tokens":55,/m,
  models: /"super-relay-2\.5"/,
  image: /\/v1\/media\/\S+\.png/,
  imageByRatio: /2560x1440/,
  imageFromImages: /\/v1\/media\//,
  imageLater: /"status":"queued"/,
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

/** The number of requests still to be refused, as by a busy installation. */
let refusals = 0;

const served = await opened(
  serveRelay(() => {
    if (refusals === 0) return undefined;
    refusals--;
    return refusing(new RelayError("service_busy", { retryAfterSeconds: 1 }));
  }),
);
const { origin } = served;

const place = () => ({ origin, baseUrl: `${origin}/v1` });
const environment = () => ({
  ...process.env,
  RELAY_API_KEY: "good",
  OPENAI_BASE_URL: `${origin}/v1`,
  OPENAI_API_KEY: "good",
});
const runner = await opened(sampleRunner(environment()));
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
    // What the sample in another language has written.
    for (const file of ["usage.csv", "boat.png"])
      rmSync(join(runner.folder, file), { force: true });
    expect(await runner.run(sample)).toMatch(printed[name]);
    if (name === "usageFile")
      expect(readFileSync(join(runner.folder, "usage.csv"), "utf8")).toMatch(/^model,.*points/);
    if (name === "imageAsData")
      expect(readFileSync(join(runner.folder, "boat.png")).subarray(1, 4).toString()).toBe("PNG");
  },
);

test("the snippet on the page of every model runs", async () => {
  const bySort = { text: chat, video: task, image };
  const runs = models.map(async (model) => {
    const sample = bySort[model.family](place(), model.alias).find(
      ({ language }) => language === "node",
    ) as Sample;
    expect(await runner.run(sample), model.id).toMatch(/blue|\/v1\/media\//i);
  });
  await Promise.all(runs);
}, 120_000);

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
    const [program, file] = runner.written(sample);
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
