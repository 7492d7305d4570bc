/** Schemathesis, from PyPI, against the running server: what the API document says and what is answered are one. */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createChannelLimiter } from "@/lib/limits/channel-limiter";
import { openTestRelay } from "@/lib/relay/testing";
import { startVideoUpstream } from "@/lib/relay/testing-video-upstream";
import { startSandbox } from "@/lib/sandbox/sandbox";
import { createChooser } from "@/lib/upstream/choose";
import { createWebServer } from "./web-server";

const VERSION = "4.32.5";
const INSTALL_MS = 240_000;
const run = promisify(execFile);
const folder = join(import.meta.dirname, "../node_modules/.cache/schemathesis", VERSION);
const program = join(folder, "bin/schemathesis");

/** Why it cannot run here; null where it is installed. */
async function whyNot(): Promise<string | null> {
  if (existsSync(join(folder, "whole"))) return null;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await run("python3", ["-m", "venv", folder], { timeout: INSTALL_MS });
    await run(join(folder, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", `schemathesis==${VERSION}`], {
      timeout: INSTALL_MS,
    });
    writeFileSync(join(folder, "whole"), "");
    return null;
  } catch (error) {
    return String(error).split("\n")[0] as string;
  }
}

/**
 * What the schema takes is taken, but for what a schema cannot carry: rules of the catalogue by model (lengths, sizes, references),
 * two fields that must agree, the days of a range, a link's signature.
 */
const byCatalogue = ["POST /v1/contents/generations/tasks", "POST /v1/images/generations", "POST /v1/quote"];
const configuration = `
[checks]
max_response_time = 120.0
positive_data_acceptance.expected-statuses = ["2xx", "404", "409", "422", "429"]
[[operations]]
include-name = "GET /v1/media/{file}"
checks.positive_data_acceptance.expected-statuses = ["2xx", "403", "410"]
[[operations]]
include-name = ${JSON.stringify(["GET /v1/usage", ...byCatalogue])}
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "409", "422", "429"]
`;

async function startServer() {
  const sandbox = await startSandbox({ pace: 0 });
  // Orders of videos are taken by a scripted upstream, and nobody asks for them again.
  const videos = await startVideoUpstream();
  const chooser = createChooser({ channelsFor: () => [videos.channel], limiter: createChannelLimiter() });
  const relay = await openTestRelay({ channels: [sandbox.channel], points: "900000000", wrapVideo: (parts) => ({ ...parts, chooser }) });
  relay.setting.identity = { ...relay.setting.identity, requestsPerMinute: 6_000_000 };
  const web = createWebServer({
    find: relay.find,
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    web.server.close();
    web.server.closeAllConnections();
    await relay.close();
    await sandbox.close();
    await videos.close();
  };
  return { origin: `http://127.0.0.1:${(web.server.address() as AddressInfo).port}`, close };
}

/** What it prints, and its exit code: 0 where nothing was found. */
function schemathesis(origin: string, place: string): Promise<{ code: number | null; text: string }> {
  const config = join(place, "schemathesis.toml");
  writeFileSync(config, configuration);
  const args = ["--config-file", config, "run", `${origin}/openapi.json`, "-H", "Authorization: Bearer good", "--no-color"];
  const bounds = [
    "--checks=all",
    "--phases=examples,coverage,fuzzing",
    "--max-examples=25",
    "--max-time=45",
    "--generation-deterministic",
    "--request-timeout=120",
  ];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, ...bounds], { cwd: place, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
    child.on("close", (code) => resolve({ code, text }));
  });
}

test("schemathesis finds nothing", { timeout: 600_000 }, async ({ skip }) => {
  const reason = await whyNot();
  if (reason !== null) {
    process.stdout.write(`Schemathesis cannot be had here, so the API document is not checked by it: ${reason}\n`);
    skip(reason);
  }
  const server = await startServer();
  const place = mkdtempSync(join(tmpdir(), "relay-schemathesis-"));
  try {
    const { code, text } = await schemathesis(server.origin, place);
    expect(code, text.slice(-20_000)).toBe(0);
  } finally {
    await server.close();
    rmSync(place, { recursive: true, force: true });
  }
});
