"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { Tabs } from "@/components/ui/tabs";
import type { Sample } from "@/lib/client/samples";

const names = { curl: "curl", python: "Python", node: "Node.js" };

/** The same call in three languages, each to be copied whole. */
export function CodeSamples({ label, samples }: { label: string; samples: readonly Sample[] }) {
  return (
    <div className="overflow-hidden rounded-lg border bg-card">
      <Tabs
        label={label}
        tabs={samples.map(({ language, code }) => ({
          value: language,
          label: names[language],
          content: (
            <pre className="w-max min-w-full p-4 text-sm/relaxed">
              <code>{code}</code>
            </pre>
          ),
        }))}
        aside={(chosen) => (
          <CopyButton
            look="quiet"
            text={samples.find(({ language }) => language === chosen)?.code ?? ""}
            what={names[chosen as Sample["language"]]}
          />
        )}
      />
    </div>
  );
}
