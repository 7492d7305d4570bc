/**
 * Runs Schemathesis, from PyPI, against the running server: the answers must agree with the API
 * document. Every operation of the document is tested; a run that skips one, or a phase, fails. The
 * number of examples ends each phase, never the clock, so that a slow machine sends the same
 * requests.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { apiDocument } from "@/lib/contract/api-document";
import { createChannelLimiter } from "@/lib/limits/channel-limiter";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { createChooser } from "@/lib/upstream/choose";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { serveFind } from "@/testing/stage/serve-find";
import { newFolder } from "@/testing/unit/new-folder";
import { startVideoUpstream, succeeded } from "@/testing/upstream/video-upstream";

const VERSION = "4.32.5";
const INSTALL_MS = 240_000;
const RUN_MS = 900_000;
const EXAMPLES = 10;
const run = promisify(execFile);
const folder = join(import.meta.dirname, "../node_modules/.cache/schemathesis", VERSION);
const program = join(folder, "bin/schemathesis");

/** Why it cannot run here; null when it is installed. */
async function whyNot(): Promise<string | null> {
  if (existsSync(join(folder, "whole"))) return null;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await run("python3", ["-m", "venv", folder], { timeout: INSTALL_MS });
    await run(
      join(folder, "bin/pip"),
      ["install", "--quiet", "--disable-pip-version-check", `schemathesis==${VERSION}`],
      {
        timeout: INSTALL_MS,
      },
    );
    writeFileSync(join(folder, "whole"), "");
    return null;
  } catch (error) {
    return String(error).split("\n")[0] as string;
  }
}

/**
 * The server accepts what the schema accepts, except for what a schema cannot express: a model's
 * rules in the catalogue (lengths, sizes, references), two fields that must agree, a range of days,
 * a link's signature, a conversation of which nothing can be sent, an item of a response, a video of
 * a list, the bytes of an image.
 */
const byCatalogue = [
  "POST /v1/chat/completions",
  "POST /v1/contents/generations/tasks",
  "POST /v1/videos/generations",
  "POST /v1/images/generations",
  "POST /v1/images/edits",
  "POST /v1/videos",
  "POST /v1/quote",
  "POST /v1/messages",
  "POST /v1/messages/count_tokens",
  "POST /v1/responses",
  "POST /v1/responses/compact",
];
const byQuery = ["GET /v1/usage", "GET /v1/responses/{id}/input_items", "GET /v1/videos"];
/** Their callers have a management key. Models, zones and dates of a limit are the server's to know. */
const byManager = [
  "GET /v1/keys",
  "POST /v1/keys",
  "GET /v1/keys/{id}",
  "PATCH /v1/keys/{id}",
  "DELETE /v1/keys/{id}",
  "GET /v1/members",
  "GET /v1/members/{id}",
  "PATCH /v1/members/{id}",
  "DELETE /v1/members/{id}",
  "GET /v1/invitations",
  "POST /v1/invitations",
  "DELETE /v1/invitations/{id}",
];
/** A body or an address beyond its limit is refused by its size, before it is read. */
const refused = [
  "400",
  "401",
  "403",
  "404",
  "405",
  "406",
  "409",
  "413",
  "415",
  "422",
  "429",
  "431",
];
/** Their bodies are those of other operations, which are covered there. */
const sharedBodies = ["POST /v1/quote", "POST /v1/messages/count_tokens"];
const configuration = `
headers = { Authorization = "Bearer good" }
[parameters]
# A text of tags has a grammar of its own, which lib/http/call-tags.test.ts tries.
"header.x-relay-tags" = "team=a, job=7"
[checks]
max_response_time = 120.0
negative_data_rejection.expected-statuses = ${JSON.stringify(refused)}
positive_data_acceptance.expected-statuses = ["2xx", "404", "409", "422", "429"]
[[operations]]
include-name = "GET /v1/media/{file}"
checks.positive_data_acceptance.expected-statuses = ["2xx", "403", "410"]
[[operations]]
include-name = ${JSON.stringify([...byQuery, ...byCatalogue])}
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "409", "422", "429"]
[[operations]]
include-name = ${JSON.stringify(byManager)}
headers = { Authorization = "Bearer manage" }
# No key gives a role that can do more than a key.
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "403", "404", "409", "422", "429"]
[[operations]]
include-name = ${JSON.stringify(sharedBodies)}
phases.coverage.enabled = false
`;

async function startServer() {
  const sandbox = await startQuickSandbox();
  // A video is finished at the first poll, so that the single call is answered at once.
  const videos = await startVideoUpstream();
  videos.script.state = () => succeeded();
  const chooser = createChooser({
    channelsFor: () => [videos.channel],
    limiter: createChannelLimiter(),
  });
  const relay = await openTestRelay({
    channels: [sandbox.channel],
    points: "900000000",
    wrapVideo: (deps) => ({ ...deps, chooser, channelById: () => videos.channel }),
  });
  await seedMembers(relay);
  const worker = createVideoWorker(relay.video, { parallelMax: 8, claimMax: 8, idleMs: 20 });
  worker.start();
  relay.setting.principal = { ...relay.setting.principal, requestsPerMinute: 6_000_000 };
  const web = await serveFind(relay.find);
  const close = async () => {
    await web.close();
    await worker.stop(5000);
    await relay.close();
    await sandbox.close();
    await videos.close();
  };
  return { origin: web.origin, close };
}

/** The part of Schemathesis's report that is read. */
interface Report {
  readonly stop_reason: string;
  readonly operations: {
    readonly total: number;
    readonly tested: number;
    readonly errored: number;
    readonly skipped: number;
  };
  readonly phases: Readonly<
    Record<string, { readonly status: string; readonly skip_reason: string | null }>
  >;
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly object[];
  readonly errors: readonly object[];
}

interface Outcome {
  readonly code: number | null;
  readonly text: string;
  readonly report: Report | null;
}

const PHASES = ["examples", "coverage", "fuzzing"];

async function schemathesis(origin: string, place: string): Promise<Outcome> {
  const config = join(place, "schemathesis.toml");
  // Read from a file: Schemathesis leaves out the operation from which it fetches a document.
  const document = join(place, "openapi.json");
  writeFileSync(document, await (await fetch(`${origin}/openapi.json`)).text());
  const reportPath = join(place, "report.json");
  writeFileSync(config, configuration);
  const args = ["--config-file", config, "run", document, "--url", origin, "--no-color"];
  const bounds = [
    "--checks=all",
    `--phases=${PHASES.join(",")}`,
    `--max-examples=${EXAMPLES}`,
    "--workers=1",
    // The seed is derived from each operation, and no database of earlier findings is kept.
    "--generation-deterministic",
    // A NUL in any name or text of a body is refused. The document says so in prose: a schema
    // cannot require it of members that it does not name.
    "--generation-allow-x00=false",
    // How long it takes to generate an example depends on the machine only.
    "--suppress-health-check=too_slow",
    "--request-timeout=120",
    "--report=json",
    `--report-json-path=${reportPath}`,
  ];
  return new Promise((resolve) => {
    // Files that it leaves behind are in the temporary folder, which is removed.
    const child = spawn(program, [...args, ...bounds], {
      cwd: place,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: RUN_MS,
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (text += chunk));
    child.on("close", (code) => {
      const report = existsSync(reportPath) ? JSON.parse(readFileSync(reportPath, "utf8")) : null;
      resolve({ code, text, report });
    });
  });
}

const operationCount = Object.values(apiDocument().paths as Record<string, object>).flatMap(
  (item) => Object.keys(item),
).length;

// In `npm test` the relay of every test checks its answers by their schemas.
test("schemathesis tests every operation and finds no fault", {
  timeout: INSTALL_MS * 2 + RUN_MS + 60_000,
}, async ({ skip }) => {
  const reason = await whyNot();
  if (reason !== null) {
    process.stdout.write(
      `Schemathesis cannot be had here, so the API document is not checked by it: ${reason}\n`,
    );
    skip(reason);
  }
  const server = await startServer();
  const place = newFolder("schemathesis");
  try {
    const { code, text, report } = await schemathesis(server.origin, place);
    const shown = text.slice(-20_000);
    expect({ code, report }, shown).toMatchObject({
      code: 0,
      report: {
        stop_reason: "completed",
        operations: { total: operationCount, tested: operationCount, errored: 0, skipped: 0 },
        phases: Object.fromEntries(
          PHASES.map((phase) => [phase, { status: "success", skip_reason: null }]),
        ),
        failures: [],
        errors: [],
      },
    });
    // Far below what it generates today: a run of a few requests would have checked nothing.
    expect(report?.test_cases.generated).toBeGreaterThan(operationCount * 50);
  } finally {
    await server.close();
  }
});
