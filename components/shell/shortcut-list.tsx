import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { useRole } from "@/lib/client/shown-account";
import { pagesFor } from "./pages";

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useTranslations("palette");
  const shell = useTranslations("shell");
  const role = useRole();
  return (
    <Dialog onClose={onClose} title={t("shortcuts")} description={t("shortcutsNote")}>
      <dl className="grid gap-2 text-sm">
        <Line keys={["Ctrl", "K"]} name={t("open")} />
        <Line keys={["/"]} name={t("searches")} />
        <Line keys={["?"]} name={t("shortcuts")} />
        <Line keys={["Esc"]} name={t("closes")} />
        <Line keys={["↑", "↓", "Enter"]} name={t("rows")} />
        <Line keys={["J", "K"]} name={t("drawer")} />
        {pagesFor(role).map(({ href, name, letter }) => (
          <Line key={href} keys={["g", letter]} name={shell(name)} />
        ))}
      </dl>
    </Dialog>
  );
}

export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-5.5 rounded-sm border bg-wash px-1.5 py-0.5 text-center text-muted text-xs"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}

function Line({ keys, name }: { keys: readonly string[]; name: string }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <dt>{name}</dt>
      <dd>
        <Keys keys={keys} />
      </dd>
    </div>
  );
}
