/** Runs many Python samples without loading their libraries for each: see `drivers/run-samples.py`. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const driver = join(import.meta.dirname, "drivers/run-samples.py");

interface PythonSamples {
  /** What the file prints. Rejects with its traceback when it fails, or takes longer than allowed. */
  run(file: string): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  readonly python: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly limitSeconds: number;
}

function startDriver({ python, cwd, environment, limitSeconds }: Options) {
  const child: ChildProcessWithoutNullStreams = spawn(python, [driver], {
    cwd,
    env: {
      ...environment,
      SAMPLE_LIMIT_SECONDS: String(limitSeconds),
      // What the libraries are compiled to is kept for the next run.
      PYTHONDONTWRITEBYTECODE: "",
    },
  });
  let said = "";
  child.stderr.on("data", (part) => {
    said += part;
  });
  // Told by the end of its output.
  child.stdin.on("error", () => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, exited: once(child, "exit"), lines, said: () => said };
}

export function pythonSamples(options: Options): PythonSamples {
  let started: ReturnType<typeof startDriver> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  async function runNow(file: string): Promise<string> {
    started ??= startDriver(options);
    const { child, lines, said } = started;
    child.stdin.write(`${JSON.stringify(file)}\n`);
    const { value, done } = await lines.next();
    if (done) {
      started = null;
      throw new Error(`the process of the samples ended: ${said()}`);
    }
    const status = JSON.parse(value);
    if (status === 0) return readFileSync(`${file}.out`, "utf8");
    throw new Error(`${file} ended with ${status}: ${readFileSync(`${file}.err`, "utf8")}`);
  }

  return {
    run(file) {
      const result = turn.then(() => runNow(file));
      turn = result.catch(() => {});
      return result;
    },
    async close() {
      await turn;
      if (started === null) return;
      started.child.stdin.end();
      await started.exited;
    },
  };
}
