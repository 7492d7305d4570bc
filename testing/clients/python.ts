/** A Python with the libraries of the contract tests, in a virtual environment of their own. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { installed } from "./install";

/** The versions that the tests run with. */
const packages = [
  "openai==2.54.0",
  "anthropic==2.12.0",
  "langchain-openai==1.7.3",
  "requests==2.34.2",
  "llama-index-llms-openai-like==0.8.1",
];

const quietly = ["--quiet", "--retries=1", "--no-compile", "--disable-pip-version-check"];

/** The interpreter; or, outside CI, why there is none. */
type Python = { readonly python: string } | { readonly reason: string };

export const pythonWithLibraries = (): Python => pythonWith(packages);

export function pythonWith(packages: readonly string[]): Python {
  const version = createHash("sha256").update(packages.join()).digest("hex").slice(0, 12);
  const made = installed(`python-${version}`, (folder) => [
    // Links would lead into the folder in which it was made.
    ["python3", "-m", "venv", "--copies", folder],
    [join(folder, "bin/python"), "-m", "pip", "install", ...quietly, ...packages],
  ]);
  return "reason" in made ? made : { python: join(made.folder, "bin/python") };
}
