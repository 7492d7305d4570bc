"use client";

import { useSyncExternalStore } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Highlight } from "@/components/ui/highlight";
import { Tabs } from "@/components/ui/tabs";
import type { Sample } from "@/lib/client/samples";

const names = { curl: "curl", python: "Python", node: "Node.js" };
type Language = Sample["language"];

/** The language chosen last, used for all samples until the page is reloaded. */
let chosenLanguage: Language | null = null;
const listeners = new Set<() => void>();

function useLanguage(): [Language | null, (language: Language) => void] {
  const language = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosenLanguage,
    () => null,
  );
  const choose = (next: Language) => {
    chosenLanguage = next;
    for (const listener of listeners) listener();
  };
  return [language, choose];
}

/** The same call in several languages, each with a copy button. */
export function CodeSamples({ label, samples }: { label: string; samples: readonly Sample[] }) {
  const [wanted, choose] = useLanguage();
  const shown = samples.find(({ language }) => language === wanted) ?? samples[0];
  return (
    <div className="overflow-hidden rounded-lg border bg-card">
      <Tabs
        label={label}
        value={shown?.language}
        onChange={(language) => choose(language as Language)}
        tabs={samples.map(({ language, code }) => ({
          value: language,
          label: names[language],
          content: (
            <pre className="w-max min-w-full p-4 text-sm/relaxed">
              <code>
                <Highlight code={code} />
              </code>
            </pre>
          ),
        }))}
        aside={() => (
          <CopyButton
            look="quiet"
            text={shown?.code ?? ""}
            what={shown ? names[shown.language] : ""}
          />
        )}
      />
    </div>
  );
}
