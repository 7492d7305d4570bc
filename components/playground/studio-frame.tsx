import type { ReactNode } from "react";
import type { Family } from "@/lib/contract/states";
import { PlaygroundTabs } from "./playground-tabs";
import { SandboxBanner } from "./sandbox-banner";

interface StudioFrameProps {
  title: string;
  /** The family that the sandbox answers; null: a real upstream does. */
  sandbox: Family | null;
  /** To the right of the tabs. */
  actions: ReactNode;
  children: ReactNode;
}

/** The layout of a playground page: it fills the window, and its parts scroll separately. */
export function StudioFrame({ title, sandbox, actions, children }: StudioFrameProps) {
  return (
    <div data-studio className="flex min-h-0 flex-1 flex-col">
      {sandbox ? <SandboxBanner family={sandbox} /> : null}
      <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-1 border-b px-3 sm:gap-x-3 sm:px-4 lg:px-6">
        <h1 className="sr-only">{title}</h1>
        <PlaygroundTabs />
        <div className="ml-auto flex gap-1 py-1.5 sm:gap-2">{actions}</div>
      </div>
      <div className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[21rem_minmax(0,1fr)] lg:grid-rows-[minmax(0,1fr)]">
        {children}
      </div>
    </div>
  );
}
