/** Tests what refusals of real servers mean, as a status, as an error in a 200, and hostile ones. */
import { expect, test } from "vitest";
import { knownRefusals } from "@/testing/conformance/refusals/known-refusals";
import { failureOfErrorMember } from "./error-member";
import { failureOfStatus } from "./status-failure";

const textOf = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

test.each(knownRefusals.map((row) => [row.maker, row.thread, row] as const))(
  "%s (%s)",
  (_maker, _thread, { status, body, code, allowed, asked, capMax, unread }) => {
    const failure = failureOfStatus(status, textOf(body));
    expect(failure).toMatchObject({ code, mayHaveCost: false });
    expect(failure.tokens?.allowed).toBe(allowed);
    if (asked !== undefined) expect(failure.tokens?.asked).toBe(asked);
    expect(failure.capMax).toBe(capMax);
    expect(failure.unread).toEqual(unread);
    // Only our words are logged or sent.
    const said = textOf(body).match(/[A-Za-z]{4,} [a-z]{4,} [a-z]{2,}/g) ?? [];
    for (const words of said) expect(JSON.stringify(failure)).not.toContain(words);
  },
);

test.each(
  knownRefusals
    .filter(({ status, body }) => status < 413 && typeof body === "object" && !Array.isArray(body))
    .map((row) => [row.maker, row] as const),
)("%s, as the error of an answer with 200 or of an event", (_maker, { body, code }) => {
  const error = (body as { error?: unknown }).error ?? body;
  expect(failureOfErrorMember(error).code).toBe(code);
});

test.each([
  [400, { error: { message: "Your credit balance is too low to access the API" } }, "quota"],
  [400, { error: { message: "Incorrect API key provided" } }, "refused"],
  [400, { error: { message: "API key not valid. Please pass a valid API key." } }, "refused"],
  [400, { error: { message: "You have reached your specified API usage limits." } }, "quota"],
  [
    400,
    { error: { message: "Budget has been exceeded! Current cost: 3, Max budget: 2" } },
    "quota",
  ],
  [401, { error: { code: "invalid_api_key" } }, "refused"],
  [401, { error: { code: "insufficient_quota" } }, "quota"],
  [402, {}, "quota"],
  [403, {}, "refused"],
  [403, { error: { code: "AccountOverdueError" } }, "quota"],
  [403, { error: { message: "用户额度不足, 剩余额度: 0.01" } }, "quota"],
  [
    403,
    { error: { message: 'a requires moderation. Your input was flagged for "x".' } },
    undefined,
  ],
  [403, { error: { message: "Your account was flagged for abuse" } }, "refused"],
  [404, { error: { code: "model_not_found" } }, undefined],
  [429, { error: { type: "rate_limit_error" } }, "busy"],
  [429, { error: { message: "Request too large for this model" } }, "busy"],
  [429, { error: { code: "insufficient_quota" } }, "quota"],
  [429, { error: { code: "1113" } }, "quota"],
  [503, {}, undefined],
])("%i %j: what it says of the credential, %s", (status, body, credentialFault) => {
  expect(failureOfStatus(status, JSON.stringify(body)).credentialFault).toBe(credentialFault);
});

/** What a client may have written, as an upstream quotes it. */
const quoted = [
  "Invalid value: 'x' insufficient balance 'y'. Supported values are: 'auto'.",
  "Invalid value: 'Your credit balance is too low'.",
  "messages.0.role: Input should be 'user', not '\nInsufficient balance'",
  "Invalid schema for response_format 'a': 'This response_format type is unavailable now' is not valid",
  "Invalid value: 'Unknown parameter: store'.",
  "Bad name: 'messages[0].role: unknown variant `developer`'",
];
test.each(quoted)("no client can blame the operator or change a channel: %s", (message) => {
  for (const body of [
    { error: { message, param: "tool_choice" } },
    { error: message },
    { detail: message },
  ]) {
    const failure = failureOfStatus(400, JSON.stringify(body));
    expect(failure.isOperatorFault).toBe(false);
    expect(failure.unread).toBeUndefined();
  }
});

test("words of any length and depth are read within bounds, and change nothing", () => {
  const deep = `${"[".repeat(60)}"prompt is too long"${"]".repeat(60)}`;
  const wide = JSON.stringify({ detail: Array(5000).fill({ loc: ["body", "store"], type: "x" }) });
  const hostile = [deep, wide, '{"error":', "x".repeat(60_000), '{"error":{"message":{"a":1}}}'];
  for (const body of hostile)
    expect(failureOfStatus(400, body)).toMatchObject({ code: "invalid_value", mayHaveCost: false });
});
