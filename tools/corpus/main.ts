/**
 * `npm run corpus -- record FILE` plays the corpus against the built product and writes the answers
 * to FILE. `npm run corpus -- compare FILE` plays it again and lists every answer that differs: for
 * a refactoring that must not change a byte.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { signIn } from "../../testing/product/sign-in";
import { makeAccount, makeKey, PASSWORD } from "../../testing/stage/command-line";
import { freePort } from "../../testing/stage/listen";
import { openStage } from "../../testing/stage/stage";
import { type Callers, playCorpus, type Recorded } from "./play";
import { corpusRequests } from "./requests";

async function play(): Promise<Recorded[]> {
  const port = String(await freePort());
  const { servers, relay, close } = await openStage({
    servers: {
      product: {
        settings: {
          PORT: port,
          PUBLIC_URL: `http://127.0.0.1:${port}`,
          RELAY_LOG_LEVEL: "error",
        },
      },
    },
  });
  const [product] = servers;
  if (product === undefined) throw new Error("there is no server");
  try {
    await product.start();
    const [person, operator] = ["corpus-person@example.com", "corpus-operator@example.com"];
    await makeAccount(relay, person, 100_000);
    await makeAccount(relay, operator, 100_000, "--operator");
    const { secret } = await makeKey(relay, person, 6000);
    const callers: Callers = {
      nobody: {},
      key: { authorization: `Bearer ${secret}` },
      "unknown key": { authorization: `Bearer sk-rly-${"a".repeat(46)}` },
      person: { cookie: await signIn(product.url, person, PASSWORD) },
      operator: { cookie: await signIn(product.url, operator, PASSWORD) },
    };
    return await playCorpus(product.url, callers, corpusRequests);
  } finally {
    await product.stop();
    await close();
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
