/** The words of `npm run soak -- hours 8`. */
import { parseArgs } from "node:util";
import { runMixed } from "./run";

const SECONDS_MIN = 30;
const CLIENTS = 32;

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} is "${text}": it must be a whole number from 1`);
  return value;
}

/** Returns the exit code: 0 only if nothing was wrong. */
export async function soakMixed(unit: "hours" | "minutes"): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      clients: { type: "string", default: String(CLIENTS) },
      out: { type: "string", default: "soak-verdict.json" },
    },
  });
  const seconds = Number(positionals[1]) * (unit === "hours" ? 3600 : 60);
  if (!(seconds >= SECONDS_MIN)) {
    console.error(`soak ${unit} NUMBER: at least ${SECONDS_MIN} seconds; got "${positionals[1]}"`);
    return 2;
  }
  const seed = wholeNumber("seed", values.seed);
  const clients = wholeNumber("clients", values.clients);
  const report = await runMixed({ seconds, seed, clients, out: values.out });
  return report?.passed ? 0 : 1;
}
