import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeInstallation } from "@/testing/cli/installations";
import {
  createDatabase,
  type DatabaseUrls,
  dropDatabase,
  startRunServer,
} from "@/testing/db/run-server";
import { type Environment, startProduct } from "@/testing/stage/product";

export interface Served {
  readonly address: string;
  /** What the command line needs to work on this instance. */
  readonly variables: Environment;
  /** The file with all that the instance has printed. */
  readonly log: string;
  stop(): Promise<void>;
}

/** The PostgreSQL of this run, whose database `relay` is copied for each instance. */
const runServer = (): DatabaseUrls => ({
  url: process.env.E2E_SERVER_URL ?? "",
  ownerUrl: process.env.E2E_SERVER_OWNER_URL ?? "",
});

/** A new database of the run's server, as the settings name it, and a function that drops it. */
export async function newDatabase(): Promise<{ variables: Environment; drop(): Promise<void> }> {
  const { url, ownerUrl } = await createDatabase(runServer());
  return {
    variables: { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl },
    drop: async () => {
      await closeInstallation(url);
      await dropDatabase(runServer(), url);
    },
  };
}

/**
 * Starts the built product as `npm start` does, on a free port, its own data folder and its own
 * database, or the one that `shared` names: none is an embedded one.
 */
export async function serveInstance(
  name: string,
  settings: Environment = {},
  shared?: Environment,
): Promise<Served> {
  if (!existsSync("dist/server.mjs"))
    throw new Error("The browser tests run against the built product: npm run build");
  const dataFolder = mkdtempSync(join(tmpdir(), "relay-e2e-"));
  const made = shared ? undefined : await newDatabase();
  const database = made?.variables ?? shared;
  const variables = { ...settings, ...database, RELAY_DATA_DIR: dataFolder };
  // The sandbox serves all models. Channels that a test adds have a higher priority.
  const sandbox = { RELAY_SANDBOX: "on", RELAY_DEMO_ACCOUNTS: "on" };
  // All users of these tests share one network address and one mail domain.
  const welcome = { RELAY_WELCOME_PER_ADDRESS: "none", RELAY_WELCOME_PER_DOMAIN: "none" };
  mkdirSync("test-results", { recursive: true });
  const log = `test-results/${name}.log`;
  writeFileSync(log, "");
  const product = startProduct({
    command: [process.execPath, "dist/server.mjs"],
    settings: { ...sandbox, ...welcome, ...variables },
    record: (part) => appendFileSync(log, part),
  });
  const stop = async () => {
    await product.stop();
    rmSync(dataFolder, { recursive: true, force: true });
    await made?.drop();
  };
  try {
    return { address: await product.address, variables, log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const remember = (variables: Environment) => Object.assign(process.env, variables);

/** Makes `served` the instance of the tests that name none. */
export const testInstance = ({ address, variables }: Served) =>
  remember({ E2E_BASE_URL: address, E2E_VARIABLES: JSON.stringify(variables) });

/** Starts the run's PostgreSQL and the instance of all tests. Returns a function that stops both. */
export default async function serveProduct() {
  const server = await startRunServer();
  remember({ E2E_SERVER_URL: server.url, E2E_SERVER_OWNER_URL: server.ownerUrl });
  const served = await serveInstance("product").catch(async (error) => {
    await server.stop();
    throw error;
  });
  testInstance(served);
  return async () => {
    await served.stop();
    await server.stop();
  };
}
