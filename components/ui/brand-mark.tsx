"use client";

import { createContext, type ReactNode, useContext } from "react";

/** The picture beside the name: our mark, the operator's logo, or nothing. */
type Mark =
  | "ours"
  | "none"
  | { readonly address: string; readonly width: number; readonly height: number };

const Shown = createContext<Mark>("ours");

export function ShownMark({ mark, children }: { mark: Mark; children: ReactNode }) {
  return <Shown.Provider value={mark}>{children}</Shown.Provider>;
}

/** How high the mark is, and how wide a logo may be. */
const [HEIGHT, WIDTH_MAX] = [24, 160];

export function BrandMark() {
  const mark = useContext(Shown);
  if (mark === "none") return null;
  if (mark !== "ours") {
    const width = Math.min(WIDTH_MAX, Math.round((HEIGHT * mark.width) / mark.height));
    return (
      // biome-ignore lint/performance/noImgElement: a small image of the operator's, as it is
      <img
        src={mark.address}
        alt=""
        width={width}
        height={HEIGHT}
        className="shrink-0 object-contain"
      />
    );
  }
  return (
    <svg aria-hidden="true" width="24" height="24" viewBox="0 0 22 22" fill="none">
      <path d="M3 11h16" stroke="currentColor" strokeWidth="2" />
      <circle cx="4" cy="11" r="3" fill="currentColor" />
      <circle cx="11" cy="11" r="3.2" className="fill-signal" />
      <circle
        cx="18"
        cy="11"
        r="2.6"
        className="fill-paper"
        stroke="currentColor"
        strokeWidth="2"
      />
    </svg>
  );
}
