import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { withPrepareLock } from "./lock.mjs";

/** Updates the installation and the given build steps, in order. Fast when they are up to date. */
export async function prepare(steps, { withDevelopment = false } = {}) {
  if (isInstalled(withDevelopment) && steps.every(isBuilt)) return;
  await withPrepareLock(async () => {
    if (!isInstalled(withDevelopment)) await install(withDevelopment);
    for (const step of steps) if (!isBuilt(step)) await build(step);
  });
}
