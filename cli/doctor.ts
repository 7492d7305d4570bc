import type { BareCommand } from "./command";
import { projectFolder } from "./project-folder";
import { table } from "./table";

const doctor: BareCommand = {
  usage:
    "   (checks the settings, this machine, the database and each service that is set; exit code 1 if something is bad)",
  async runBare(settings) {
    const { checkAll } = await import("@/lib/doctor/check-all");
    const checks = await checkAll(settings, process.env, projectFolder);
    const isGood = checks.every(({ state }) => state !== "bad");
    const words = { good: "good", note: "note", bad: "BAD" };
    return {
      json: { ok: isGood, checks },
      text: table(
        checks.map(({ name, state, text }) => ({ check: name, is: words[state], what: text })),
      ),
      isGood,
    };
  },
};

export const doctorCommands = { "": doctor };
