import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { cn } from "@/components/ui/class-names";
import type { Command } from "./command";
import { Keys } from "./shortcut-list";

interface CommandListProps {
  id: string;
  commands: readonly Command[];
  /** The command that is chosen. */
  at: number;
  onPoint: (index: number) => void;
  onRun: (command: Command) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function CommandList({ id, commands, at, onPoint, onRun, onKeyDown }: CommandListProps) {
  const t = useTranslations("palette");
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={t("title")}
      className="-mx-2 mt-2 max-h-96 relative overflow-y-auto"
    >
      {commands.map((command, index) => (
        <div
          key={command.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerMove={() => onPoint(index)}
          onClick={() => onRun(command)}
          onKeyDown={onKeyDown}
          className={cn(
            "flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 text-sm",
            index === at && "bg-wash",
          )}
        >
          <command.Icon aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="min-w-0 flex-1 truncate">{command.name}</span>
          {command.keys ? <Keys keys={command.keys} /> : null}
        </div>
      ))}
    </div>
  );
}
