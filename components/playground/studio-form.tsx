import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { useHydrated } from "@/lib/client/hydrated";
import { pictureOf } from "@/lib/client/picture-file";
import { pictureDrop } from "./picture-drop";
import { PromptField } from "./prompt-field";

interface StudioFormProps {
  label: string;
  prompt: string;
  onPrompt: (prompt: string) => void;
  /** In place of the prompt, where what is made has one already. */
  promptInstead?: ReactNode;
  /** Images that were pasted or dropped anywhere in the form. */
  onPictures: (addresses: readonly string[]) => void;
  onSend: () => void;
  /** Above the prompt. */
  head: ReactNode;
  /** Below the prompt. */
  fields: ReactNode;
  /** The current values, in a few words each. On a small screen they replace the fields and open them. */
  chips: readonly ReactNode[];
  /** The quote and the button. */
  foot: ReactNode;
}

/**
 * The form beside the stage: its fields scroll, its foot stays in sight. On a small screen it is at
 * the bottom, with the prompt and the current values; a sheet has the fields.
 */
export function StudioForm(props: StudioFormProps) {
  const { label, prompt, onPrompt, onPictures, onSend, head, fields, chips, foot } = props;
  const { promptInstead = null } = props;
  const t = useTranslations("studio");
  const [isOpen, setIsOpen] = useState(false);
  const isHydrated = useHydrated();
  const take = async (files: readonly File[]) => {
    const read = await Promise.all(files.map(pictureOf));
    const addresses = read.filter((address) => address !== null);
    if (addresses.length > 0) onPictures(addresses);
  };
  return (
    <form
      aria-label={label}
      className="flex min-h-0 shrink-0 flex-col bg-paper max-lg:order-last lg:border-r"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      {...pictureDrop((files) => void take(files))}
    >
      {/* What is chosen before hydration would be lost. */}
      <fieldset disabled={!isHydrated} className="contents">
        <div className="relative grid content-start gap-4 px-4 pt-3 max-lg:border-t lg:min-h-0 lg:flex-1 lg:overflow-y-auto lg:px-6 lg:py-4">
          <div className="grid gap-2 max-lg:hidden">{head}</div>
          {promptInstead ?? <PromptField value={prompt} onChange={onPrompt} />}
          <ValueChips chips={chips} onOpen={() => setIsOpen(true)} />
          <div className="grid gap-4 max-lg:hidden">{fields}</div>
        </div>
        {foot}
      </fieldset>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={t("settingsSheet")}>
        <div className="grid gap-4">
          <div className="grid gap-2">{head}</div>
          {fields}
        </div>
      </Dialog>
    </form>
  );
}

const chipStyle = "shrink-0 rounded-md border border-control bg-card px-2.5 py-1.5 text-sm";

/** On a small screen: the current values, which open the fields. */
function ValueChips({ chips, onOpen }: { chips: readonly ReactNode[]; onOpen: () => void }) {
  const t = useTranslations("studio");
  return (
    <div className="flex gap-2 overflow-x-auto pb-1 lg:hidden">
      {chips.map((chip, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places of the chips are fixed
        <button key={at} type="button" onClick={onOpen} className={`num ${chipStyle}`}>
          {chip}
        </button>
      ))}
      <button type="button" onClick={onOpen} className={`flex items-center gap-1.5 ${chipStyle}`}>
        <SlidersHorizontal aria-hidden className="size-3.5" />
        {t("shapeMore")}
      </button>
    </div>
  );
}
