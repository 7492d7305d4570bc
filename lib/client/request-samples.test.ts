import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { chatRequestSamples } from "./request-samples";

const body = {
  model: "RelayV1",
  messages: [{ role: "user", content: "It's \"so\"\n$HOME 'n' `id` 你好" }],
  temperature: 0.5,
  stream: false,
};

function codeIn(language: string): string {
  const sample = chatRequestSamples("http://relay.test/v1", body).find((each) => each.language === language);
  if (!sample) throw new Error(`no ${language}`);
  return sample.code;
}

test("a shell sends exactly the request that was made, whatever the person wrote", () => {
  const script = `curl() { printf '%s' "\${@: -1}"; }\n${codeIn("curl")}`;
  expect(JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8" }))).toEqual(body);
});

test("Node and Python name every field as it was sent", () => {
  const json = /create\((\{[\s\S]*\})\);/.exec(codeIn("node"))?.[1];
  expect(JSON.parse(json ?? "")).toEqual(body);
  expect(codeIn("python")).toContain("temperature=0.5,");
  expect(codeIn("python")).toContain("stream=False,");
});
