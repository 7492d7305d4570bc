/**
 * `npm run corpus -- record FILE` plays the corpus against the built product and writes the answers
 * to FILE. `npm run corpus -- compare FILE` plays it again and lists every answer that differs: for
 * a refactoring that must not change a byte.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, relay, startProduct } from "@/e2e/soak/product";
import { signIn } from "../product/sign-in";
import { type Callers, playCorpus, type Recorded } from "./play";
import { corpusRequests } from "./requests";

const password = "correct horse battery";

async function play(): Promise<Recorded[]> {
  const folder = mkdtempSync(join(tmpdir(), "relay-corpus-"));
  const port = String(await freePort());
  const environment = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RELAY_DATA_DIR: join(folder, "data"),
    RELAY_PROCESSES: "1",
    RELAY_LOG_LEVEL: "error",
  };
  const product = await startProduct(environment);
  try {
    const make = (name: string, ...flags: string[]) =>
      relay(
        environment,
        "account",
        "create",
        "--email",
        `corpus-${name}@example.com`,
        "--password",
        password,
        "--points",
        "100000",
        ...flags,
      );
    await make("person");
    await make("operator", "--operator");
    const key = [
      "key",
      "create",
      "--email",
      "corpus-person@example.com",
      "--name",
      "corpus",
      "--rpm",
      "6000",
    ];
    const { secret } = await relay<{ secret: string }>(environment, ...key);
    const callers: Callers = {
      nobody: {},
      key: { authorization: `Bearer ${secret}` },
      "unknown key": { authorization: `Bearer sk-rly-${"a".repeat(46)}` },
      person: { cookie: await signIn(product.url, "corpus-person@example.com", password) },
      operator: { cookie: await signIn(product.url, "corpus-operator@example.com", password) },
    };
    return await playCorpus(product.url, callers, corpusRequests);
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SHOWN_CHARACTERS = 400;

/** The text around the first character that differs: an answer may have megabytes. */
function firstDifference(was: Recorded, is: Recorded): string {
  const [before, after] = [JSON.stringify(was), JSON.stringify(is)];
  let at = 0;
  while (before[at] === after[at]) at++;
  const shown = (text: string) =>
    text.slice(Math.max(0, at - SHOWN_CHARACTERS / 2), at + SHOWN_CHARACTERS / 2);
  return `  was … ${shown(before)} …\n  is  … ${shown(after)} …`;
}

function differences(before: readonly Recorded[], after: readonly Recorded[]): string[] {
  const old = new Map(before.map((answer) => [`${answer.name} ${answer.request}`, answer]));
  const found: string[] = [];
  for (const answer of after) {
    const name = `${answer.name} ${answer.request}`;
    const was = old.get(name);
    old.delete(name);
    if (was === undefined) found.push(`+ ${name}`);
    else if (JSON.stringify(was) !== JSON.stringify(answer))
      found.push(`≠ ${name}\n${firstDifference(was, answer)}`);
  }
  return [...found, ...[...old.keys()].map((name) => `- ${name}`)];
}

const [verb, file] = process.argv.slice(2);
if (!(verb === "record" || verb === "compare") || file === undefined) {
  console.error("corpus record FILE | corpus compare FILE");
  process.exit(2);
}
const answers = await play();
if (verb === "record") {
  writeFileSync(file, `${JSON.stringify(answers, null, 1)}\n`);
  console.log(`${answers.length} answers are in ${file}`);
} else {
  const found = differences(JSON.parse(readFileSync(file, "utf8")) as Recorded[], answers);
  for (const line of found) console.log(line);
  console.log(`${answers.length} answers, ${found.length} differ`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
