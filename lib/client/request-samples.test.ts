import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { imageRequestSamples, videoRequestSamples } from "./request-samples";
import { textForms } from "./text-samples";

const body = {
  model: "RelayV1",
  messages: [{ role: "user" as const, content: "It's \"so\"\n$HOME 'n' `id` 你好" }],
  temperature: 0.5,
};

function codeIn(language: string): string {
  const [chat] = textForms("http://relay.test/v1", body);
  const sample = chat?.samples.find((each) => each.language === language);
  if (!sample) throw new Error(`no ${language}`);
  return sample.code;
}

test("a shell sends exactly the original body, whatever the prompt contains", () => {
  const script = `curl() { printf '%s' "\${@: -1}"; }\n${codeIn("curl")}`;
  expect(JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8" }))).toEqual(body);
});

test("Node and Python send every field with its original name", () => {
  const json = /create\((\{[\s\S]*\})\);/.exec(codeIn("node"))?.[1];
  expect(JSON.parse(json ?? "")).toEqual(body);
  expect(codeIn("python")).toContain("temperature=0.5,");
  expect(codeIn("python")).toContain('model="RelayV1",');
});

const wanted = {
  model: "Super-Relay",
  prompt: 'It\'s "so"\n$HOME `id` 你好',
  seed: 7,
  image: ["https://pictures.example/a.png"],
};

test.each([
  ["an image", imageRequestSamples],
  ["a video", videoRequestSamples],
] as const)(
  "the code for %s sends what the form says and prints the address of the result",
  async (_, samplesOf) => {
    let polls = 0;
    const server = await startUpstream((response, { method }) => {
      const isPoll = method === "GET";
      const done = { id: "cgt-1", status: "succeeded", content: { video_url: "made" } };
      const answer = isPoll
        ? ++polls > 1
          ? done
          : { id: "cgt-1", status: "running" }
        : { id: "cgt-1", data: [{ url: "made" }] };
      sendJson(response, JSON.stringify(answer));
    });
    const samples = samplesOf(`${server.url}/v1`, wanted);
    const codeOf = (language: string) =>
      samples.find((each) => each.language === language)?.code ?? "";
    const node = codeOf("node").replace("3000", "1");
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      node,
    ]);
    await server.close();
    expect(stdout.trim()).toBe("made");
    const [sent, ...polled] = server.seen.map(({ body }) => body);
    expect([sent, ...polled.filter((each) => Object.keys(each).length > 0)]).toEqual([wanted]);
    for (const { headers } of server.seen)
      expect(headers.authorization).toBe("Bearer sk-rly-YOUR_KEY");
    const shell = `curl() { local d="\${@: -1}"; [ "\${d:0:1}" = "{" ] && printf '%s' "$d"; return 0; }\n${codeOf("curl")}`;
    expect(JSON.parse(execFileSync("bash", ["-c", shell], { encoding: "utf8" }))).toEqual(wanted);
    expect(codeOf("python")).toContain('"seed": 7,');
  },
);

test("an image inside the request is shortened", () => {
  const [curl] = imageRequestSamples("http://relay.test/v1", {
    ...wanted,
    image: [`data:image/png;base64,${"A".repeat(90_000)}`],
  });
  expect(curl?.code.length).toBeLessThan(1000);
  expect(curl?.code).toContain("data:image/png;base64,…");
});
