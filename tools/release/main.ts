/**
 * `npm run release -- --out FOLDER [--key FILE]` makes the files of a release from the commit that is
 * checked out; the same commit gives the same bytes. `--verify FOLDER --public-key FILE` checks them.
 * Keys are PEM files: `openssl genpkey -algorithm ed25519`, `openssl pkey -pubout`.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { faultsOf, makeRelease } from "./make-release";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    key: { type: "string" },
    verify: { type: "string" },
    "public-key": { type: "string" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

function check(folder: string, publicKey: string): void {
  const faults = faultsOf(resolve(folder), readFileSync(publicKey, "utf8"));
  for (const fault of faults) say(fault);
  if (faults.length === 0) say("The files are those that the key's owner signed.");
  process.exitCode = faults.length === 0 ? 0 : 1;
}

try {
  if (values.verify !== undefined && values["public-key"] !== undefined)
    check(values.verify, values["public-key"]);
  else if (values.out !== undefined) {
    const key = values.key === undefined ? null : readFileSync(values.key, "utf8");
    const { version, commit, files } = makeRelease(process.cwd(), resolve(values.out), key);
    say(`Release ${version} of ${commit}: ${files.join(", ")} in ${values.out}.`);
    if (key === null) say("It is not signed: name a key with --key FILE.");
  } else throw new Error("Name a folder: --out FOLDER, or --verify FOLDER with --public-key FILE.");
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
