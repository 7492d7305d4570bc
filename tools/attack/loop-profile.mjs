/**
 * For the probe: what the main thread executed while its event loop was blocked, from V8's sampling
 * profiler.
 */
import { Session } from "node:inspector";

const INTERVAL_MICROSECONDS = 500;
const FUNCTIONS_TOLD = 12;

const nameOf = ({ functionName, url, lineNumber, columnNumber }) =>
  `${functionName || "(anonymous)"} ${url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, "")}:${lineNumber + 1}:${columnNumber + 1}`;

/**
 * The functions' own times, and their times including what they called, in the samples between two
 * `process.hrtime` values; in microseconds.
 */
function summarize({ nodes, samples, timeDeltas, startTime }, from, to) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const own = new Map();
  const whole = new Map();
  const add = (map, name, time) => map.set(name, (map.get(name) ?? 0) + time);
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    at += timeDeltas[index];
    if (at < from || at > to) continue;
    const time = Math.max(0, timeDeltas[index + 1] ?? 0) / 1000;
    const seen = new Set();
    for (let node = byId.get(id); node; node = node.parent) {
      const name = nameOf(node.callFrame);
      if (seen.size === 0) add(own, name, time);
      if (!seen.has(name)) add(whole, name, time);
      seen.add(name);
    }
  }
  const most = (map, count) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, count)
      .map(([name, time]) => `${time.toFixed(1)} ms ${name}`);
  return { own: most(own, FUNCTIONS_TOLD), whole: most(whole, 3 * FUNCTIONS_TOLD) };
}

export function startLoopProfile() {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROSECONDS });
  session.post("Profiler.start");
  /** Ends the profile, returns what ran between the two times, and starts the next profile. */
  return (from, to) => {
    let told = null;
    session.post("Profiler.stop", (_error, result) => {
      told = result?.profile === undefined ? null : summarize(result.profile, from, to);
    });
    session.post("Profiler.start");
    return told;
  };
}
