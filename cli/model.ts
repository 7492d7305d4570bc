import { modelEndpoints } from "@/lib/contract/operator-models";
import { toWire } from "@/lib/contract/wire";
import { modelFileOf, showModelDetail } from "@/lib/queries/models";
import { isRecord } from "@/lib/values/records";
import type { Command } from "./command";
import { importCommand } from "./model-import";

const show: Command = {
  usage: "--id M   (`file` is what `model change` takes)",
  async run({ pool }, flags) {
    const id = flags.text("id");
    const detail = toWire(modelEndpoints.showModel.answer, await showModelDetail({ pool }, id));
    const file = await modelFileOf({ pool }, id);
    const shown = { ...(isRecord(detail) && detail), file };
    return { json: shown, text: JSON.stringify(shown, null, 2) };
  },
};

/** The others are made from rows. */
export const modelCommands = { show, import: importCommand } satisfies Record<string, Command>;
