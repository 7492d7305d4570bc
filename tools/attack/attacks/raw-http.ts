/**
 * The cases of `raw-cases.ts`, each on a connection of its own. Bound: 30 s each, eight at a time.
 */
import type { Attack, Means, Tally } from "../attack";
import type { RawCase } from "../raw-case";
import { rawCases } from "../raw-cases";
import { exchange } from "../wire";

const WAIT_MS = 30_000;
/** How long to wait after an answer for another one, which must not come. */
const MORE_MS = 1_000;

function bytesOfCase({ bytes }: RawCase, { target, apiKey }: Means): Buffer {
  if (typeof bytes !== "string") return bytes;
  return Buffer.from(
    bytes.replaceAll("HOST", target.authority).replaceAll("KEY", apiKey),
    "latin1",
  );
}

async function send(means: Means, tally: Tally, raw: RawCase): Promise<void> {
  const { name, wanted, answersMax, isHead } = raw;
  const isCounted = answersMax !== undefined;
  tally.sending();
  const options = {
    answers: isCounted ? answersMax + 1 : 1,
    timeoutMs: isCounted ? MORE_MS + 1000 : WAIT_MS,
    isHead,
  };
  const { answers, ending, milliseconds } = await exchange(
    means.target,
    [bytesOfCase(raw, means)],
    options,
  );
  for (const answer of answers) tally.judge(answer, name);
  if (isCounted && answers.length > answersMax)
    tally.fault(`${name} → ${answers.length} answers: a request was smuggled in`);
  const [first] = answers;
  if (first === undefined) tally.count(ending);
  if (first === undefined && ending === "silent")
    tally.fault(`${name} → nothing for ${Math.round(milliseconds / 1000)} s`);
  else if (first === undefined && wanted === "answered")
    tally.fault(`${name} → the connection ended unanswered`);
  if (wanted === "refused" && first !== undefined && first.status < 400)
    tally.fault(`${name} → ${first.status}, and should be refused`);
}

export const rawHttp: Attack = {
  name: "raw-http",
  what: "requests that no ordinary client sends: upgrades, smuggling, undecodable paths, giant heads",
  async run(means, tally) {
    const left = rawCases.filter(({ isSlow }) => !(isSlow && means.isBrief));
    const worker = async () => {
      for (let raw = left.shift(); raw !== undefined; raw = left.shift()) {
        const current = raw;
        await tally.step(current.name, () => send(means, tally, current));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  },
};
