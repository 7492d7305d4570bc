/** Agents of libraries that the project does not have, each in a process of its own. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Installed, installed, npmInstall } from "./install";

const libraries = {
  langchain: {
    packages: ["@langchain/core@1.4.0", "@langchain/openai@1.6.0", "@langchain/anthropic@1.5.11"],
    driver: "langchain-agent.mjs",
  },
  "ai-sdk": {
    packages: [
      "ai@7.0.173",
      "@ai-sdk/openai@4.0.118",
      "@ai-sdk/anthropic@4.0.105",
      "@ai-sdk/openai-compatible@3.0.92",
    ],
    driver: "ai-sdk-agent.mjs",
  },
} as const;

export type AgentLibrary = keyof typeof libraries;

export interface AgentTask {
  readonly api: "chat" | "responses" | "messages";
  readonly form: "plain" | "stream";
  readonly origin: string;
  readonly model: string;
  readonly parameters: object;
  readonly prompt: string;
}

export function agentOf(library: AgentLibrary): Installed {
  const { packages } = libraries[library];
  const [version = ""] = packages[0].split("@").slice(-1);
  return installed(`agent-${library}-${version}`, (folder) => [npmInstall(folder, packages)]);
}

const ended = z.object({ text: z.string(), looked: z.array(z.string()) });

/** Runs the task: what the agent said at its end, and what it looked at. */
export async function runAgent(library: AgentLibrary, folder: string, task: AgentTask) {
  return ended.parse(JSON.parse(await printed(libraries[library].driver, folder, task)));
}

/** Rejects with what the program complained of. */
function printed(driver: string, folder: string, task: AgentTask): Promise<string> {
  const source = readFileSync(join(import.meta.dirname, "drivers", driver));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module"], {
      cwd: folder,
      env: { ...process.env, AGENT_TASK: JSON.stringify(task) },
    });
    const [said, complained]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (piece: Buffer) => said.push(piece));
    child.stderr.on("data", (piece: Buffer) => complained.push(piece));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(Buffer.concat(said).toString());
      else reject(new Error(Buffer.concat(complained).toString().slice(-2000)));
    });
    child.stdin.end(source);
  });
}
