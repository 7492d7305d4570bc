import { spawn } from "node:child_process";
import { projectFolder } from "./project.mjs";

const running = new Set();
let stopping = false;

/**
 * Runs a command in its own process group, so that a stop reaches all of it. Its output is shown on
 * standard error, unless `isQuiet` and it succeeds; without output, a line is printed every ten
 * seconds. Resolves with its exit code and output.
 */
export function runChild(
  label,
  command,
  args,
  { env = {}, onStart = () => {}, isQuiet = false } = {},
) {
  const startedAt = Date.now();
  let heardAt = startedAt;
  let output = "";
  const child = spawn(command, args, {
    cwd: projectFolder,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  onStart(child.pid);
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const show = (part) => {
    output += part;
    if (isQuiet) return;
    heardAt = Date.now();
    process.stderr.write(part);
  };
  child.stdout.on("data", show);
  child.stderr.on("data", show);
  const pulse = setInterval(() => {
    if (Date.now() - heardAt >= 9500) process.stderr.write(`  ${label} … ${seconds()} s\n`);
  }, 10_000);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(127);
    });
    child.once("close", (code) => resolve(code ?? 1));
  }).then((code) => {
    clearInterval(pulse);
    running.delete(child);
    // Stopping the child also ends this process; until then the child's end must not count as a
    // failure.
    if (stopping) return new Promise(() => {});
    if (code !== 0 && isQuiet) process.stderr.write(output);
    return { code, output };
  });
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

const groupLives = (child) => {
  try {
    process.kill(-child.pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Stops every child and its descendants, with SIGTERM first. */
async function stopChildren() {
  stopping = true;
  const children = [...running];
  for (const child of children) signalGroup(child, "SIGTERM");
  const patience = Date.now() + 4000;
  while (children.some(groupLives) && Date.now() < patience)
    await new Promise((resolve) => setTimeout(resolve, 50));
  for (const child of children) signalGroup(child, "SIGKILL");
}

/** Until the returned function is called, a signal stops all children and then this process. */
export function stopOnSignals(exitCode, cleanUp = () => {}) {
  const stop = async () => {
    if (stopping) return;
    process.stderr.write("Stopping.\n");
    await stopChildren();
    await cleanUp();
    process.exit(exitCode);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
