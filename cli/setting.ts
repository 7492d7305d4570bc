import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { setLiveSetting } from "@/lib/commands/settings";
import { BRAND_FILE_BYTES_MAX } from "@/lib/contract/limits";
import { readEffectiveSettings } from "@/lib/live-settings/live-settings";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

async function list({ pool, environment }: OpenInstallation) {
  const settings = (await readEffectiveSettings(pool, environment)).map(
    ({ name, value, source, otherwise }) => ({
      name,
      value,
      source,
      otherwise,
    }),
  );
  const shown = settings.map((setting) => ({ ...setting, value: shortened(setting.value) }));
  return { json: { settings }, text: table(shown) };
}

const SHOWN_MAX = 60;
const shortened = (value: string) => {
  const line = value.replace(/\s+/g, " ");
  return line.length <= SHOWN_MAX ? line : `${line.slice(0, SHOWN_MAX)}… (${value.length})`;
};

/** What the value of a setting is made of: an image becomes a data URL. */
const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

function fileValue(path: string): string {
  if (statSync(path).size > BRAND_FILE_BYTES_MAX)
    throw new UsageError(`${path} has more than ${BRAND_FILE_BYTES_MAX} bytes`);
  const content = readFileSync(path);
  const type = imageTypes[extname(path).toLowerCase()];
  return type === undefined
    ? content.toString("utf8").trim()
    : `data:${type};base64,${content.toString("base64")}`;
}

/** `--value`, or what is in the file of `--file`. */
function wantedValue(flags: Flags): string {
  const [value, file] = [flags.optional("value"), flags.optional("file")];
  if ((value === null) === (file === null)) throw new UsageError("give either --value or --file");
  if (file === null) return value ?? "";
  try {
    return fileValue(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
}

export const settingCommands = {
  list: { usage: "", run: list },
  set: {
    usage: "--name N --value V|--file F   (takes effect in every process within 5 s)",
    async run(installation, flags) {
      await setLiveSetting(installation, actor, {
        name: flags.text("name"),
        value: wantedValue(flags),
      });
      return list(installation);
    },
  },
  unset: {
    usage: "--name N",
    async run(installation, flags) {
      await setLiveSetting(installation, actor, { name: flags.text("name"), value: null });
      return list(installation);
    },
  },
} satisfies Record<string, Command>;
