import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { cn } from "./class-names";

interface Tab {
  value: string;
  label: string;
  content: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  aside?: (value: string) => ReactNode;
  /** Set when the choice is kept elsewhere. */
  value?: string | undefined;
  onChange?: (value: string) => void;
}

/** Tabs with the standard keyboard pattern: arrow keys, Home and End. */
export function Tabs({ label, tabs, aside, value, onChange }: TabsProps) {
  const id = useId();
  const [own, setOwn] = useState(tabs[0]?.value);
  const chosen = value ?? own;
  const setChosen = onChange ?? setOwn;
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === chosen);
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = tabs[(target + tabs.length) % tabs.length];
    if (!next) return;
    setChosen(next.value);
    buttons.current.get(next.value)?.focus();
  };
  return (
    <div className="min-w-0">
      <div className="flex items-center justify-between gap-3 border-b pr-2">
        <div role="tablist" aria-label={label} className="flex gap-5 px-4" onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              ref={(element) => {
                if (element) buttons.current.set(tab.value, element);
              }}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === chosen ? 0 : -1}
              onClick={() => setChosen(tab.value)}
              className={cn(
                "-mb-px border-transparent border-b-2 py-2.5 font-medium text-sm transition-colors",
                tab.value === chosen ? "border-signal text-ink" : "text-muted hover:text-ink",
              )}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {chosen ? aside?.(chosen) : null}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard
        tabIndex={0}
        className="-outline-offset-2 overflow-x-auto"
      >
        {tabs.find((tab) => tab.value === chosen)?.content}
      </div>
    </div>
  );
}
