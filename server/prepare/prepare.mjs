import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { withPrepareLock } from "./lock.mjs";

/** Brings the installation and the named build steps up to date, in this order; quick when they are. */
export async function prepare(steps, { withDevelopment = false } = {}) {
  if (isInstalled(withDevelopment) && steps.every(isBuilt)) return;
  await withPrepareLock(async () => {
    if (!isInstalled(withDevelopment)) await install(withDevelopment);
    for (const step of steps) if (!isBuilt(step)) await build(step);
  });
}
