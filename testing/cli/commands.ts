/** Runs the command line in tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect } from "vitest";
import { Flags } from "@/cli/command";
import { type OpenFor, runCommandLine } from "@/cli/run";
import { createTestDatabase } from "../db/test-database";
import { closeInstallation, keptInstallation } from "./installations";

export interface CommandExit {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The environment of a new installation, and a function that removes its data folder. */
export async function openTestInstallation(): Promise<{
  environment: NodeJS.ProcessEnv & { DATABASE_URL: string };
  remove: () => void;
}> {
  const folder = mkdtempSync(join(tmpdir(), "relay-cli-"));
  const environment = {
    ...process.env,
    DATABASE_URL: await createTestDatabase(),
    RELAY_DATA_DIR: folder,
    RELAY_SECRET: "a secret of at least 32 characters",
  };
  return { environment, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs one command as `cli/main.ts` does, but in this process. */
export async function runInProcess(
  words: readonly string[],
  {
    environment,
    input = "",
    open,
  }: { environment: NodeJS.ProcessEnv; input?: string | undefined; open?: OpenFor },
): Promise<CommandExit> {
  let [out, err] = ["", ""];
  const terminal = {
    readEnvironment: () => environment,
    stdin: Readable.from(input === "" ? [] : [input]),
    stdout: {
      write: (text: string) => {
        out += text;
      },
    },
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
  };
  const code = await runCommandLine(words, terminal, open);
  return { code, out, err };
}

/** Options as the parser would return them, in this process's environment. */
export const flagsOf = (values: Record<string, string | boolean>): Flags =>
  new Flags(values, { readEnvironment: () => process.env, stdin: process.stdin });

export type TestCommands = Awaited<ReturnType<typeof openTestCommands>>;

/** The commands over an installation of their own, which stays open between them. */
export async function openTestCommands() {
  const { environment, remove } = await openTestInstallation();
  const relayWith = (
    given: { input?: string; variables?: Record<string, string> },
    ...[first = "", ...words]: string[]
  ) =>
    runInProcess([...first.split(" "), ...words], {
      environment: { ...environment, ...given.variables },
      input: given.input,
      // Others may lead elsewhere.
      ...(given.variables === undefined && { open: keptInstallation }),
    });
  /** The first argument may have several words. */
  const relay = (...words: string[]) => relayWith({}, ...words);
  return {
    environment,
    close: async () => {
      await closeInstallation(environment.DATABASE_URL);
      remove();
    },
    relayWith,
    relay,
    async json(...words: string[]) {
      const { code, out, err } = await relay(...words, "--json");
      expect([code, err]).toEqual([0, ""]);
      // One JSON document and nothing else.
      expect(out.trim().split("\n")).toHaveLength(1);
      return JSON.parse(out);
    },
  };
}
