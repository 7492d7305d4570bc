/** Runs the samples of the API reference with the programs they are written for. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Sample } from "@/lib/client/samples";
import type { EndpointRow } from "@/lib/contract/endpoint";
import { endpoints } from "@/lib/contract/endpoints";
import { endpointExamples } from "@/lib/docs/endpoint-samples";
import { isRunnable } from "@/testing/clients/programs";
import { sampleRunner } from "@/testing/clients/run-samples";
import { joinAgain, seedMembers } from "@/testing/relay/members";
import { serveRelay } from "@/testing/relay/served-relay";
import { opened } from "@/testing/unit/opened";

const rows: readonly EndpointRow[] = Object.values(endpoints);
/** What a run must print, whatever the language. */
const printed: Readonly<Record<string, RegExp>> = {
  createChatCompletion: /\w/,
  createMessage: /\w/,
  countMessageTokens: /\d/,
  createResponse: /\w/,
  compactResponse: /compaction/,
  getResponse: /blue/i,
  deleteResponse: /deleted/,
  cancelResponse: /completed/,
  listInputItems: /msg_/,
  createImage: /\/v1\/media\/\S+/,
  createImageEdit: /\/v1\/media\/\S+/,
  listImages: /total/,
  getImage: /succeeded/,
  createVideo: /\/v1\/media\/\S+\.mp4/,
  createVideoTask: /cgt-/,
  listVideoTasks: /total/,
  getVideoTask: /succeeded/,
  streamVideoTask: /event: end/,
  createVideoJob: /cgt-/,
  listVideoJobs: /cgt-/,
  getVideoJob: /completed/,
  deleteVideoJob: /deleted/,
  listModels: /Super-Relay2\.5/,
  getModel: /Super-Relay2\.0/,
  createQuote: /hold_points/,
  getBalance: /available_points/,
  getUsage: /group_by/,
  getKey: /callback_secret/,
  listApiKeys: /api_key/,
  createApiKey: /sk-rly-/,
  getApiKey: /nightly/,
  changeApiKey: /nightly/,
  revokeApiKey: /revoked/,
  listMembers: /member@example\.com/,
  getMember: /member@example\.com/,
  changeMember: /Europe\/Berlin/,
  removeMember: /removed/,
  listInvitations: /developer/,
  createInvitation: /invitation\?token=/,
  revokeInvitation: /revoked/,
  getApiDocument: /openapi/,
  getApiDocumentUnderV1: /openapi/,
  getHealth: /ok/,
  getReadiness: /ready/,
};

const served = await opened(serveRelay());
const { origin } = served;
const runner = await opened(
  sampleRunner({ ...process.env, RELAY_API_KEY: "good", RELAY_MANAGEMENT_KEY: "manage" }),
);
let taskId = "";
let responseId = "";
let file = "";
let keyId = "";
let invitationId = "";

const asked = async (path: string, body?: object, key = "good") => {
  const answer = await fetch(`${origin}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.json();
};

const makeVideo = (): Promise<{ id: string; video_url: string }> =>
  asked("/v1/videos/generations", {
    model: "super-relay",
    prompt: "A paper boat",
    resolution: "480p",
  });

/** Its id is that of the request that waited for it. */
async function makeImage(): Promise<string> {
  const answer = await fetch(`${origin}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: "Bearer good", "content-type": "application/json" },
    body: JSON.stringify({ model: "super-relay-img", prompt: "A paper boat" }),
  });
  await answer.arrayBuffer();
  return answer.headers.get("x-request-id") ?? "";
}

const makeResponse = async (): Promise<string> =>
  (await asked("/v1/responses", { model: "relay-v1", input: "Why is the sky blue?" })).id;

beforeAll(async () => {
  const made = await makeVideo();
  taskId = made.id;
  responseId = await makeResponse();
  await seedMembers(served.relay);
  invitationId = (await asked("/v1/invitations", { role: "developer" }, "manage")).id;
  keyId = (await asked("/v1/keys", { name: "nightly" }, "manage")).id;
  file = made.video_url.slice(made.video_url.indexOf("/v1/media/") + "/v1/media/".length);
});

const place = (at: string) => ({ origin: at, baseUrl: `${at}/v1` });
const samplesOf = (row: EndpointRow, at = "http://relay.invalid") =>
  endpointExamples(row, place(at)).flatMap(({ samples }) => samples);
/** The examples of a row have a sample in each language. */
const cases = rows.flatMap((row) =>
  samplesOf(row).map(({ language }, at) => ({ row, name: row.name, language, at })),
);

test.for(cases)(
  "$name: sample $at in $language runs and prints what it asked for",
  { timeout: 60_000 },
  async ({ row, language, at }, { skip }) => {
    // What is deleted is made for it.
    const task = /^deleteVideo/.test(row.name) ? (await makeVideo()).id : taskId;
    const image = /^(get|delete)Image$/.test(row.name) ? await makeImage() : "";
    const response = row.name === "deleteResponse" ? await makeResponse() : responseId;
    const sample = samplesOf(row, origin)[at] as Sample;
    await joinAgain(served.relay);
    if (!isRunnable(sample)) skip(`nothing here runs ${language} with its library`);
    const code = sample.code
      .replaceAll("TASK_ID", task)
      .replaceAll("RESPONSE_ID", response)
      .replaceAll("IMAGE_ID", image)
      .replaceAll("KEY_ID", keyId)
      .replaceAll("USER_ID", "user_joined")
      .replaceAll("INVITATION_ID", invitationId)
      .replaceAll("FILE", file);
    const result = join(runner.folder, "result.mp4");
    // That of the sample before.
    rmSync(result, { force: true });
    const said = await runner.run({ ...sample, code });
    if (row.name === "getMedia" || row.name === "getVideoContent")
      expect(statSync(result).size).toBeGreaterThan(100);
    else expect(said).toMatch(printed[row.name] ?? /^\{\s*\}$/m);
  },
);

test("every endpoint has a sample in each language", () => {
  for (const row of rows)
    expect(new Set(samplesOf(row).map(({ language }) => language)), row.name).toEqual(
      new Set(["curl", "python", "node"]),
    );
});
