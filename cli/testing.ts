/** The command line as its tests use it. */
import { Readable } from "node:stream";
import { Given } from "./command";
import { runCommandLine } from "./run";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs one command as `cli/main.ts` does, in this process: nothing but the process is left out. */
export async function runInProcess(
  words: readonly string[],
  { environment, input = "" }: { environment: NodeJS.ProcessEnv; input?: string | undefined },
): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await runCommandLine(words, {
    readEnvironment: () => environment,
    stdin: Readable.from(input === "" ? [] : [input]),
    stdout: {
      write: (text) => {
        out += text;
      },
    },
    stderr: {
      write: (text) => {
        err += text;
      },
    },
  });
  return { code, out, err };
}

/** Options as the parser would give them, in this process's environment. */
export const givenOptions = (values: Record<string, string | boolean>): Given =>
  new Given(values, { readEnvironment: () => process.env, stdin: process.stdin });
