/**
 * Runs the code samples of the pages, each unchanged and with the program it is written for, in one
 * folder and with one environment.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sample } from "@/lib/client/samples";
import { programs } from "./programs";
import { pythonSamples } from "./python-samples";

const runFile = promisify(execFile);
const LIMIT_SECONDS = 50;
/** Others start fast, and are run as they are. */
const loadsLibrary = /^(from|import) (openai|anthropic|requests|langchain_\w+|llama_index)\b/m;

interface SampleRunner {
  readonly folder: string;
  /** Writes a sample into a file, for who starts it in another way. */
  written(sample: Sample): readonly [program: string, file: string];
  /** What the sample prints. Rejects with what it says when it fails. */
  run(sample: Sample): Promise<string>;
  close(): Promise<void>;
}

export function sampleRunner(environment: NodeJS.ProcessEnv): SampleRunner {
  const folder = mkdtempSync(join(tmpdir(), "relay-samples-"));
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const [python] = programs.python;
  const inPython = pythonSamples({
    python,
    cwd: folder,
    environment,
    limitSeconds: LIMIT_SECONDS,
  });
  let files = 0;

  function written({ language, code }: Sample) {
    const [program, ending] = programs[language];
    const file = join(folder, `sample-${++files}.${ending}`);
    writeFileSync(file, code);
    return [program, file] as const;
  }

  return {
    folder,
    written,
    async run(sample) {
      const [program, file] = written(sample);
      if (sample.language === "python" && loadsLibrary.test(sample.code)) return inPython.run(file);
      const options = { cwd: folder, env: environment, timeout: LIMIT_SECONDS * 1000 };
      return (await runFile(program, [file], options)).stdout;
    },
    async close() {
      await inPython.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
