/**
 * `npm run --silent relay -- NOUN VERB …`: exit code 0 for success, 1 for a refusal, 2 for wrong
 * usage.
 */
import { existsSync } from "node:fs";
import { runCommandLine } from "./run";

process.exitCode = await runCommandLine(process.argv.slice(2), {
  readEnvironment() {
    if (existsSync(".env")) process.loadEnvFile(".env");
    return process.env;
  },
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
