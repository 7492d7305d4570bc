/**
 * Allows one process at a time to install or build. A holder that was killed does not block others.
 */
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { inProject } from "./project.mjs";

const folder = inProject("dist");
const file = inProject("dist", "prepare.lock");
const SILENT_MILLISECONDS_MAX = 20_000;
const ORPHAN_MILLISECONDS_MAX = 600_000;

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * The processes that a lock names: its holder and the child that the holder runs, which survives
 * when only the holder is killed.
 */
function read(path) {
  try {
    return { text: readFileSync(path, "utf8"), silentFor: Date.now() - statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

function isHeld({ text, silentFor }) {
  const [holder, child] = text.split(" ").map(Number);
  if (child > 0 && lives(child)) return silentFor < ORPHAN_MILLISECONDS_MAX;
  return holder > 0 && lives(holder) && silentFor < SILENT_MILLISECONDS_MAX;
}

function removeAbandoned(text) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, file);
  } catch {
    // Another process was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}

async function take() {
  mkdirSync(folder, { recursive: true });
  for (let waits = 0; ; waits++) {
    try {
      writeFileSync(file, `${process.pid} 0`, { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const found = read(file);
    // A lock that was just created may not have its text yet.
    if (found && !isHeld(found) && (found.text !== "" || found.silentFor > 2000))
      removeAbandoned(found.text);
    else if (waits % 100 === 10)
      process.stderr.write("Waiting for another process that installs or builds here …\n");
    if (found) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function releasePrepareLock() {
  if (read(file)?.text.startsWith(`${process.pid} `)) rmSync(file, { force: true });
}

/** Records the child that works for this process now. */
export function noteChild(pid) {
  writeFileSync(file, `${process.pid} ${pid}`);
}

export async function withPrepareLock(work) {
  await take();
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {}
  }, 2000);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    releasePrepareLock();
  }
}
