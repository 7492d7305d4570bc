import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Options, Select } from "@/components/ui/input";
import { useSavedPrompts } from "@/lib/client/saved-prompts";

/** The length to which a prompt is cut in the list. */
const NAME_LENGTH = 60;

interface SavedPromptsProps {
  userId: string;
  /** The current system prompt. */
  text: string;
  onChoose: (prompt: string) => void;
}

/** Keeps the system prompt, and brings back one that was kept. */
export function SavedPrompts({ userId, text, onChoose }: SavedPromptsProps) {
  const t = useTranslations("playground");
  const { prompts, save, remove } = useSavedPrompts(userId);
  const prompt = text.trim();
  const isSaved = prompts.includes(prompt);
  if (prompt === "" && prompts.length === 0) return null;
  return (
    <div className="-mt-2 flex gap-2">
      <span className="min-w-0 flex-1">
        <Select
          aria-label={t("saved")}
          title={t("savedHint")}
          disabled={prompts.length === 0}
          value={isSaved ? prompt : ""}
          onChange={({ target }) => onChoose(target.value)}
        >
          <option value="">{t("savedNone")}</option>
          <Options of={prompts} name={(each) => each.slice(0, NAME_LENGTH)} />
        </Select>
      </span>
      {prompt === "" ? null : (
        <Button className="h-10" onClick={() => (isSaved ? remove(prompt) : save(prompt))}>
          {t(isSaved ? "deletePrompt" : "savePrompt")}
        </Button>
      )}
    </div>
  );
}
