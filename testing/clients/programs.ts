/** What runs the code samples of the pages, in the language of each. */
import { spawnSync } from "node:child_process";
import type { Sample } from "@/lib/client/samples";
import { pythonWithLibraries } from "./python";

const answers = (program: string) => spawnSync(program, ["--version"]).status === 0;
const python = pythonWithLibraries();

export const programs = {
  curl: ["bash", "sh"],
  python: ["reason" in python ? "" : python.python, "py"],
  node: [process.execPath, "mjs"],
} as const satisfies Record<Sample["language"], readonly [program: string, ending: string]>;

const isThere: Readonly<Record<Sample["language"], boolean>> = {
  curl: answers("bash") && answers("curl"),
  python: !("reason" in python),
  node: true,
};

/** Whether this machine can run the sample; in CI it always can. */
export const isRunnable = ({ language }: Sample): boolean => isThere[language];
