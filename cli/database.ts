import type { BareCommand } from "./command";
import { projectFolder } from "./project-folder";

const migrate: BareCommand = {
  usage:
    "   (applies missing migrations and sets the rights of the product's role; connects with DATABASE_OWNER_URL)",
  options: {},
  async runBare(settings) {
    const { openDatabase } = await import("@/lib/db/open");
    const { applicationRole, close } = await openDatabase(settings, projectFolder, true);
    await close();
    const role = applicationRole ?? null;
    return {
      json: { database: { application_role: role } },
      text: `The database has all migrations; ${role === null ? "one role owns it and is also the product's role" : `${role} is the product's role and owns nothing`}.`,
    };
  },
};

export const databaseCommands = { migrate };
