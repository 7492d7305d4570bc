/** The product's command line, and what most installations need before they serve. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Environment, inherited, root } from "./product";

/** Runs one command with `--json`, and returns what it prints. */
export type Relay = (...words: string[]) => Promise<unknown>;

const run = promisify(execFile);
export const PASSWORD = "a-long-password-of-a-test";

/** The commands of the built product of a checkout, in processes of their own. */
export const commandLine =
  (settings: Environment, checkout = root): Relay =>
  async (...words) => {
    const { stdout } = await run(
      process.execPath,
      [join(checkout, "cli/relay.mjs"), ...words, "--json"],
      {
        cwd: checkout,
        env: { ...inherited(), NODE_ENV: "production", ...settings },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    return JSON.parse(stdout);
  };

export async function makeAccount(
  relay: Relay,
  email: string,
  points: number,
  ...more: string[]
): Promise<void> {
  const words = ["--email", email, "--password", PASSWORD, "--points", String(points)];
  await relay("account", "create", ...words, ...more);
}

const madeKey = z.object({ key: z.object({ id: z.string() }), secret: z.string() });

/** Without a practical limit unless `rpm` is given. */
export async function makeKey(relay: Relay, email: string, rpm = 1_000_000) {
  const words = ["--email", email, "--name", `of ${rpm}`, "--rpm", String(rpm)];
  const { key, secret } = madeKey.parse(await relay("key", "create", ...words));
  return { id: key.id, secret };
}

interface NewChannel {
  readonly name: string;
  readonly protocol: "openai" | "ark";
  readonly baseUrl: string;
  /** As `RelayV1=theirs,…`. */
  readonly models: string;
}

/** A channel without limits. */
export async function makeChannel(relay: Relay, channel: NewChannel): Promise<void> {
  const { name, protocol, baseUrl, models } = channel;
  const words = ["--name", name, "--protocol", protocol, "--base-url", baseUrl];
  const limits = ["--api-key", "upstream", "--rps", "0", "--rpm", "0"];
  await relay("channel", "create", ...words, "--models", models, ...limits);
}

const audited = z.object({
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** What a command prints that prints its result also when it fails. */
export function printedBy(relay: Relay, ...words: string[]): Promise<unknown> {
  return relay(...words).catch((error: unknown) => {
    const printed = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    if (printed === "") throw error;
    return JSON.parse(printed);
  });
}

/** What `ledger audit` finds. */
export async function auditFaults(relay: Relay): Promise<string[]> {
  return audited
    .parse(await printedBy(relay, "ledger", "audit"))
    .checks.filter(({ ok }) => !ok)
    .map(({ name, detail }) => `audit: ${name}: ${detail}`);
}
