import { useTranslations } from "next-intl";
import { later } from "@/components/ui/later";
import { accentColours, accentProblem } from "@/lib/contract/accent";
import type { BrandSettingName } from "@/lib/contract/setting-names";
import { kindOf, themeOf } from "./brand-kinds";

const OwnMarkdown = later(() =>
  import("@/components/ui/own-markdown").then((module) => module.OwnMarkdown),
);

/** How the value of a setting looks on the pages; nothing for what is not written yet. */
export function BrandPreview({ name, value }: { name: BrandSettingName; value: string }) {
  const t = useTranslations("operator.settings");
  const kind = kindOf(name);
  if (value === "" || (kind === "line" && !name.startsWith("home_"))) return null;
  if (kind === "colour" && accentProblem(value, themeOf(name)) !== null) return null;
  return (
    <section
      aria-label={t("previewOf", { name: t(`names.${name}`) })}
      className="mt-2 overflow-hidden rounded-md border"
    >
      {kind === "colour" ? <ColourPreview name={name} value={value} /> : null}
      {kind === "image" ? <ImagePreview value={value} /> : null}
      {kind === "line" ? (
        <p
          className={`wrap-anywhere p-3 ${name.startsWith("home_title") ? "font-semibold text-2xl tracking-tighter" : "text-lg text-muted"}`}
        >
          {value}
        </p>
      ) : null}
      {kind === "page" ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <div tabIndex={0} className="max-h-80 overflow-y-auto px-3">
          <OwnMarkdown text={value} />
        </div>
      ) : null}
    </section>
  );
}

/** On the grounds of both themes. */
function ImagePreview({ value }: { value: string }) {
  return (
    <div className="grid grid-cols-2">
      {(["light", "dark"] as const).map((theme) => (
        <div key={theme} className="p-3" style={{ background: accentColours(theme).paper }}>
          {/* biome-ignore lint/performance/noImgElement: a file that is not stored yet */}
          <img src={value} alt="" className="h-6 max-w-40 object-contain" />
        </div>
      ))}
    </div>
  );
}

function ColourPreview({ name, value }: { name: BrandSettingName; value: string }) {
  const t = useTranslations("operator.settings");
  const { paper, onAccent } = accentColours(themeOf(name));
  return (
    <div className="flex items-center gap-4 p-3" style={{ background: paper }}>
      <span
        className="rounded-md px-3 py-1.5 font-medium"
        style={{ background: value, color: onAccent }}
      >
        {t("sampleButton")}
      </span>
      <span className="underline underline-offset-3" style={{ color: value }}>
        {t("sampleLink")}
      </span>
    </div>
  );
}
