import type { BareCommand } from "./command";
import { projectFolder } from "./project-folder";

const migrate: BareCommand = {
  usage: "   (applies what is missing and sets the rights of the product's role; works as DATABASE_OWNER_URL's role)",
  options: {},
  async runBare(settings) {
    const { openDatabase } = await import("@/lib/db/open");
    const { applicationRole, close } = await openDatabase(settings, projectFolder);
    await close();
    const role = applicationRole ?? null;
    return {
      json: { database: { application_role: role } },
      text: `The database has all migrations; ${role === null ? "one role owns it and works on it" : `${role} works on it and owns nothing`}.`,
    };
  },
};

export const databaseCommands = { migrate };
