import { useTranslations } from "next-intl";
import { RangeField } from "@/components/forms/range-field";
import { SelectField } from "@/components/forms/text-field";
import type { More } from "@/lib/client/video-settings";
import { CheckRow } from "./check-row";
import { FoldRow } from "./fold-row";
import type { FieldsProps } from "./length-field";
import type { Extras } from "./tier-field";

const PRIORITY_MAX = 9;

/** What few set: the draft, tools, the last frame as a picture, the format, the priority. */
export function MoreFields({ settings, change, extras }: FieldsProps & { extras: Extras }) {
  const t = useTranslations("studio");
  const { model, more, draftTask } = settings;
  const { offers } = model;
  const set = (part: More) => change({ more: { ...more, ...part } });
  const isOwn = draftTask === null;
  const toolTypes = isOwn && extras.tools.includes(model.id) ? (offers.tools?.types ?? []) : [];
  const tools = more.tools ?? [];
  return (
    <>
      {isOwn && offers.draft ? (
        <CheckRow
          label={t("draft")}
          note={t("draftNote")}
          isOn={more.draft === true}
          onChange={(draft) => set({ draft })}
        />
      ) : null}
      {toolTypes.map((type) => (
        <CheckRow
          key={type}
          label={type === "web_search" ? t("webSearch") : type}
          note={t("toolNote", { max: offers.tools?.calls_max ?? 0 })}
          isOn={tools.some((each) => each.type === type)}
          onChange={(isOn) =>
            set({
              tools: [...tools.filter((each) => each.type !== type), ...(isOn ? [{ type }] : [])],
            })
          }
        />
      ))}
      <FoldRow title={t("moreSettings")} value={moreText(more)}>
        <RareFields settings={settings} set={set} />
      </FoldRow>
    </>
  );
}

/** What of the folded ones is set, in a word each. */
const moreText = ({ output_format: format, priority }: More): string =>
  [format, priority ? `P${priority}` : null].filter(Boolean).join(" · ");

function RareFields({
  settings,
  set,
}: Pick<FieldsProps, "settings"> & { set: (part: More) => void }) {
  const t = useTranslations("studio");
  const { more, draftTask } = settings;
  const { offers } = settings.model;
  const priority = more.priority ?? 0;
  return (
    <div className="grid gap-3 [&_label]:pl-0">
      <div>
        <CheckRow
          label={t("returnLastFrame")}
          isOn={more.return_last_frame === true}
          onChange={(isOn) => set({ return_last_frame: isOn })}
        />
        {draftTask === null ? (
          <CheckRow
            label={t("cameraFixed")}
            isOn={more.camera_fixed === true}
            onChange={(isOn) => set({ camera_fixed: isOn })}
          />
        ) : null}
        <CheckRow
          label={t("watermark")}
          isOn={more.watermark === true}
          onChange={(isOn) => set({ watermark: isOn })}
        />
      </div>
      {offers.output_formats ? (
        <SelectField
          label={t("format")}
          value={more.output_format ?? "mp4"}
          onChange={({ target }) => set({ output_format: target.value })}
        >
          {offers.output_formats.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
      ) : null}
      {offers.priority ? (
        <RangeField
          label={t("priority")}
          hint={t("priorityNote")}
          min={0}
          max={PRIORITY_MAX}
          value={priority}
          valueText={String(priority)}
          onChange={(next) => set({ priority: next })}
        />
      ) : null}
    </div>
  );
}
