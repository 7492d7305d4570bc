import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const START_MS = 60_000;
const STOP_MS = 40_000;

/** Resolves with the address that the product prints. */
function addressOf(product: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(
      () => reject(new Error(`The product did not start in ${START_MS} ms:\n${said}`)),
      START_MS,
    );
    const listen = (chunk: Buffer) => {
      said += chunk;
      const address = /serves on (http:\S+?)[\s]/.exec(said)?.[1];
      if (!address || !said.includes("Stop with")) return;
      clearTimeout(timer);
      resolve(address);
    };
    product.stdout?.on("data", listen);
    product.stderr?.on("data", listen);
    product.once("exit", (code) => reject(new Error(`The product ended with ${code}:\n${said}`)));
  });
}

export interface Served {
  readonly address: string;
  readonly dataFolder: string;
  /** The file with all that the instance has printed. */
  readonly log: string;
  stop(): Promise<void>;
}

/** Starts the built product as `npm start` does, on a free port and its own data folder. */
export async function serveInstance(
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Served> {
  if (!existsSync("dist/server.mjs"))
    throw new Error("The browser tests run against the built product: npm run build");
  const dataFolder = mkdtempSync(join(tmpdir(), "relay-e2e-"));
  const { PUBLIC_URL, DATABASE_URL, RELAY_SECRET, ...inherited } = process.env;
  // The sandbox serves all models. Channels that a test adds have a higher priority.
  const sandbox = { RELAY_SANDBOX: "on", RELAY_DEMO_ACCOUNTS: "on" };
  // All users of these tests share one network address and one mail domain.
  const welcome = { RELAY_WELCOME_PER_ADDRESS: "none", RELAY_WELCOME_PER_DOMAIN: "none" };
  const environment = {
    ...inherited,
    RELAY_PROCESSES: "1",
    ...sandbox,
    ...welcome,
    ...settings,
    NODE_ENV: "production" as const,
    PORT: "0",
    HOST: "127.0.0.1",
    RELAY_DATA_DIR: dataFolder,
  };
  const product = spawn(process.execPath, ["dist/server.mjs"], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  mkdirSync("test-results", { recursive: true });
  const log = `test-results/${name}.log`;
  const record = createWriteStream(log);
  product.stdout.pipe(record, { end: false });
  product.stderr.pipe(record, { end: false });
  product.once("exit", (code, signal) => record.end(`ended with ${code ?? signal}\n`));
  const stop = async () => {
    if (product.exitCode === null) {
      const ended = once(product, "exit");
      product.kill("SIGTERM");
      const timer = setTimeout(() => product.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
    rmSync(dataFolder, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(product), dataFolder, log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Serves the instance of all tests. Returns a function that stops it. */
export default async function serveProduct() {
  const { address, dataFolder, stop } = await serveInstance("product");
  process.env.E2E_BASE_URL = address;
  process.env.E2E_DATA_FOLDER = dataFolder;
  return stop;
}
