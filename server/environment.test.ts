/** `.env` is read again for a rolling restart. It is the file of the project's folder. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";

const before = { ...process.env };
let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder("environment");
  file = join(folder, ".env");
});
afterEach(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
});

/** The module as a new process has it. */
const fresh = () => {
  vi.resetModules();
  return import("./environment");
};

test("settings of the file change, those of the environment and of the running product do not", async () => {
  const { readEnvironment, rereadEnvironment } = await fresh();
  process.env.RELAY_LOG_LEVEL = "warn";
  writeFileSync(file, "RELAY_SIGNUP=closed\nRELAY_LOG_LEVEL=debug\nHOST=127.0.0.1\n");
  readEnvironment(file);
  // Starting reads the settings twice: before the pages are built, and to serve.
  readEnvironment(file);
  process.env.PORT = "4321";
  expect([process.env.RELAY_SIGNUP, process.env.RELAY_LOG_LEVEL]).toEqual(["closed", "warn"]);
  writeFileSync(file, "RELAY_WELCOME_POINTS=5\nRELAY_LOG_LEVEL=info\nHOST=0.0.0.0\nPORT=1\n");
  rereadEnvironment(file);
  const { HOST, PORT, RELAY_LOG_LEVEL, RELAY_SIGNUP, RELAY_WELCOME_POINTS } = process.env;
  expect({ HOST, PORT, RELAY_LOG_LEVEL, RELAY_SIGNUP, RELAY_WELCOME_POINTS }).toEqual({
    HOST: "127.0.0.1",
    PORT: "4321",
    RELAY_LOG_LEVEL: "warn",
    RELAY_SIGNUP: undefined,
    RELAY_WELCOME_POINTS: "5",
  });
});

test("a wrong setting changes nothing, and is named", async () => {
  const { readEnvironment, rereadEnvironment } = await fresh();
  writeFileSync(file, "RELAY_SIGNUP=closed\n");
  readEnvironment(file);
  writeFileSync(file, "RELAY_SIGNUP=perhaps\nRELAY_WELCOME_POINTS=5\n");
  expect(() => rereadEnvironment(file)).toThrow(/RELAY_SIGNUP=perhaps/);
  expect([process.env.RELAY_SIGNUP, process.env.RELAY_WELCOME_POINTS]).toEqual([
    "closed",
    undefined,
  ]);
});
