import { useTranslations } from "next-intl";
import { type KeyboardEvent, useId, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import type { Command } from "./command";
import { CommandList } from "./command-list";
import { useCommands } from "./use-commands";

/** Searches pages and settings by part of their name. The arrow keys select, Enter opens. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTranslations("palette");
  const id = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const commands = useCommands(text);
  const at = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    const count = commands.length;
    const steps: Record<string, number> = {
      ArrowDown: (at + 1) % count,
      ArrowUp: (at - 1 + count) % count,
    };
    const next = steps[event.key];
    if (next !== undefined && count > 0) setChosen(next);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) run(commands[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog onClose={onClose} title={t("title")}>
      <Input
        role="combobox"
        aria-label={t("search")}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={commands[at] ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        placeholder={t("placeholder")}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <CommandList
        id={id}
        commands={commands}
        at={at}
        onPoint={setChosen}
        onRun={run}
        onKeyDown={press}
      />
      <p role="status" className="px-0.5 text-muted text-sm">
        {commands.length === 0 ? (
          <span className="block py-4 text-center">{t("nothing")}</span>
        ) : null}
      </p>
    </Dialog>
  );
}
