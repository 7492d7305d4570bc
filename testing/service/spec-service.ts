/** The service with all its models, served by the sandbox. */
import { expect } from "vitest";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import type { TestAnswer } from "../relay/answers";
import { openTestRelay, type TestRelay } from "../relay/test-relay";
import { startQuickSandbox } from "../sandbox/quick-sandbox";

const messages = [{ role: "user", content: "hello" }];
export const imageUrl = "https://example.org/a.png";

function asking(relay: TestRelay) {
  const post = (
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> => relay.send(path, { body: JSON.stringify(body), headers });
  return {
    post,
    chat: (body: object) => post("/v1/chat/completions", { model: "RelayV1", messages, ...body }),
    video: (body: object) =>
      post("/v1/videos/generations", {
        model: "super-relay-fast",
        prompt: "a fox",
        resolution: "480p",
        duration: 3,
        ...body,
      }),
    quoteOf: async (body: object) =>
      (await post("/v1/quote", {
        endpoint: "createVideo",
        model: "super-relay",
        prompt: "a fox",
        ...body,
      })) as TestAnswer & {
        json: { normalized: Record<string, unknown>; tokens: { output: number } };
      },
    image: (body: object) =>
      post("/v1/images/generations", {
        model: "super-relay-img",
        prompt: "a fox",
        size: "512x512",
        ...body,
      }),
    submit: (text: string, more: object[] = []) =>
      post("/v1/contents/generations/tasks", {
        model: "super-relay",
        content: [{ type: "text", text }, ...more],
      }),
  };
}

export async function startSpecService() {
  const sandbox = await startQuickSandbox();
  const relay = await openTestRelay({
    channels: [sandbox.channel],
    points: "9000000",
    keepsVideos: true,
  });
  const worker = createVideoWorker(relay.video);
  worker.start();
  return {
    ...asking(relay),
    sandbox,
    relay,
    /** A task of an earlier test may still be running. */
    async idle(): Promise<void> {
      await expect.poll(async () => (await relay.balance()).held, { timeout: 20_000 }).toBe(0n);
    },
    /** Expects a refusal with this error, and that it cost nothing. */
    async refused(
      request: () => Promise<TestAnswer>,
      status: number,
      code: string,
      param: string | null,
    ): Promise<void> {
      await this.idle();
      const before = await relay.balance();
      expect(await request()).toMatchObject({ status, json: { error: { code, param } } });
      expect(await relay.balance()).toEqual(before);
    },
    async ended(id: unknown): Promise<TestAnswer["json"]> {
      for (;;) {
        const { json } = await relay.send(`/v1/contents/generations/tasks/${id}`);
        if (json.status !== "queued" && json.status !== "running") return json;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      await worker.stop(2000);
      await relay.close();
      await sandbox.close();
    },
  };
}
