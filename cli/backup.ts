import { join, resolve } from "node:path";
import { openDataFolder } from "@/lib/process/data-folder";
import type { BareCommand } from "./command";
import { projectFolder } from "./project-folder";

const create: BareCommand = {
  usage: "--to FILE   (the whole database as it is at one moment, while it is in use)",
  async runBare(settings, flags) {
    const file = resolve(flags.text("to"));
    const { createBackup } = await import("@/lib/backup/create-backup");
    const { openServer } = await import("@/lib/db/open");
    const server = await openServer(settings);
    try {
      const { rows, tables, bytes, snapshotSeconds } = await createBackup(server.url, file);
      return {
        json: { backup: { file, rows, tables, bytes, snapshot_seconds: snapshotSeconds } },
        text: `Saved ${rows} rows of ${tables} tables in ${file} (${bytes} bytes). Keep RELAY_SECRET and the results too: the backup does not contain them.`,
      };
    } finally {
      await server.close();
    }
  },
};

const restore: BareCommand = {
  usage: "--from FILE   (into a database without accounts)",
  async runBare(settings, flags) {
    const file = resolve(flags.text("from"));
    const data = openDataFolder(settings.RELAY_DATA_DIR);
    const { restoreBackup } = await import("@/lib/backup/restore-backup");
    const { openServer } = await import("@/lib/db/open");
    const { createLedger } = await import("@/lib/ledger/ledger");
    const server = await openServer(settings);
    try {
      const { rows, createdAt, nodes } = await restoreBackup(server, file, projectFolder);
      const ledger = await createLedger({
        databaseUrl: server.url,
        spoolFolder: join(data.path, "spool"),
        role: "tool",
      });
      let released = 0;
      try {
        for (const node of nodes) released += await ledger.releaseNode(node, "cli");
      } finally {
        await ledger.close();
      }
      return {
        json: { restore: { file, rows, created_at: createdAt, released_holds: released } },
        text: `Restored ${rows} rows of ${createdAt}; released ${released} holds that were open then.`,
      };
    } finally {
      await server.close();
    }
  },
};

export const backupCommands = { create, restore };
