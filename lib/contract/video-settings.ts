/**
 * The settings of a video order that reach an upstream under their own names: which of them a model
 * offers is in its spec, and what costs something needs a rate.
 */
import { z } from "zod";
import { keysOf } from "../values/records";
import { openObject } from "./bounds";
import { EXPIRES_SECONDS_MAX, EXPIRES_SECONDS_MIN, TOOL_KINDS_MAX } from "./limits";
import { SELECTOR_LENGTH_MAX } from "./units";

const word = z.string().max(SELECTOR_LENGTH_MAX);

export const serviceTiers = ["default", "flex"] as const;

export const settingFields = {
  service_tier: z
    .enum([...serviceTiers, "auto"], { error: 'it must be "default" or "flex"' })
    .nullish()
    .meta({
      default: "default",
      description:
        "flex: made later at its own price, where the model has one; billed as it was served",
    }),
  draft: z
    .boolean()
    .nullish()
    .meta({ default: false, description: "Whether a draft is made, where the model makes them" }),
  return_last_frame: z.boolean().nullish().meta({
    default: false,
    description: "Whether the answer has a picture of the last frame, with which to go on",
  }),
  frames: z
    .int()
    .min(1)
    .nullish()
    .describe("The length in frames, 25 + 4n, in place of duration; where the model takes them"),
  execution_expires_after: z
    .int()
    .min(EXPIRES_SECONDS_MIN)
    .max(EXPIRES_SECONDS_MAX)
    .nullish()
    .meta({
      default: 172_800,
      description: "After how many seconds an unfinished task is given up and costs nothing",
    }),
  priority: z
    .int()
    .min(0)
    .max(9)
    .nullish()
    .meta({ default: 0, description: "The place in the upstream's queue, where the model has it" }),
  tools: z
    .array(openObject({ type: word.describe("The tool, such as web_search") }))
    .max(TOOL_KINDS_MAX)
    .nullish()
    .describe("Tools that the model may call, where it has them; each call is charged"),
  output_format: word
    .nullish()
    .meta({ default: "mp4", description: "The format of the file, where the model has others" }),
  omni_reference_task_type: word
    .nullish()
    .describe("What is made of the references, such as edit; each model has its own"),
  safety_identifier: z
    .string()
    .max(64)
    .nullish()
    .describe("A name of your user, for the upstream's reviews; never a name of a person"),
};

type Fields = z.infer<z.ZodObject<typeof settingFields>>;
export type SettingName = keyof Fields;
export const settingNames = keysOf(settingFields);

/** The settings that were given. */
export type VideoSettings = { readonly [Name in SettingName]?: NonNullable<Fields[Name]> };

const neutralValues: VideoSettings = {
  service_tier: "default",
  draft: false,
  return_last_frame: false,
  execution_expires_after: 172_800,
  priority: 0,
  output_format: "mp4",
};

/** Whether a setting has another value than the one that every upstream means without it. */
export function isSet(settings: VideoSettings | undefined, name: SettingName): boolean {
  const value = settings?.[name];
  if (name === "tools") return (settings?.tools?.length ?? 0) > 0;
  return value !== undefined && value !== neutralValues[name];
}

/** The settings of an order's fields, without those that are absent or null. */
export function settingsGiven(fields: Fields): VideoSettings {
  const { service_tier: tier, tools, ...others } = fields;
  const given: VideoSettings = {};
  return Object.assign(
    given,
    ...settingNames.map((name) => {
      if (name === "tools") return tools ? { tools: tools.map(({ type }) => ({ type })) } : {};
      // Our other word for the default.
      if (name === "service_tier") return tier && tier !== "auto" ? { service_tier: tier } : {};
      const value = others[name];
      return value === undefined || value === null ? {} : { [name]: value };
    }),
  );
}
