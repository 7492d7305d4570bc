/**
 * A bound on the processor time of a group of processes, kept by the kernel (a control group of Linux,
 * of the first or second version).
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";

/** In it the processes run, in µs, until their share of it is used up. */
const PERIOD = 20_000;
const isSecondVersion = existsSync("/sys/fs/cgroup/cgroup.controllers");
const parent = isSecondVersion ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";

export class ProcessorShare {
  private readonly folder: string;

  /** `name`: of the group, among those of this process. */
  constructor(name: string) {
    this.folder = `${parent}/relay-bench-${process.pid}-${name}`;
    try {
      if (isSecondVersion) writeFileSync(`${parent}/cgroup.subtree_control`, "+cpu");
      mkdirSync(this.folder);
    } catch (error) {
      throw new Error(`this needs Linux, root and control groups at ${parent}: ${error}`);
    }
  }

  /** Puts the processes, with all that they start later, under a bound in cores. */
  hold(pids: readonly number[], cores: number): void {
    const quota = Math.round(cores * PERIOD);
    if (isSecondVersion) writeFileSync(`${this.folder}/cpu.max`, `${quota} ${PERIOD}`);
    else {
      writeFileSync(`${this.folder}/cpu.cfs_period_us`, String(PERIOD));
      writeFileSync(`${this.folder}/cpu.cfs_quota_us`, String(quota));
    }
    for (const pid of pids) writeFileSync(`${this.folder}/cgroup.procs`, String(pid));
  }

  /** Ends the bound; the group must have no process any more. */
  remove(): void {
    rmdirSync(this.folder);
  }
}
