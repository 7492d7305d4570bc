/** The server of llama-cpp-python with a tiny random model, where a Python that has it is named. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pause } from "@/lib/timing/pause";
import { freePort } from "../stage/listen";

/** A Python with `llama-cpp-python[server]`, `gguf` and `numpy`. */
export const llamaPython = process.env.RELAY_TEST_LLAMA_PYTHON;

const START_MS = 60_000;

export async function startRealLlama(python: string) {
  const folder = await mkdtemp(join(tmpdir(), "relay-llama-"));
  const model = join(folder, "tiny.gguf");
  await promisify(execFile)(python, [join(import.meta.dirname, "make-llama-model.py"), model]);
  const port = await freePort();
  const options = ["--model", model, "--host", "127.0.0.1", "--port", String(port)];
  const bounds = ["--n_ctx", "512", "--n_threads", "1"];
  const server = spawn(python, ["-m", "llama_cpp.server", ...options, ...bounds], {
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/v1/models`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const until = Date.now() + START_MS; !(await isUp()); await pause(200))
    if (Date.now() > until) throw new Error("the server of llama-cpp-python did not start");
  return {
    url,
    async close() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
