"use client";

import { useEffect, useRef } from "react";
import { useIsSeen } from "@/components/ui/use-is-seen";
import type { Example } from "@/lib/contract/shown-example";
import { followFilm, preferFilm } from "./films";

/** A picture, or a film that plays while it is in view. It fills the box around it. */
export function ExampleMedia({ example }: { example: Example }) {
  const { kind, url, still } = example;
  const film = useRef<HTMLVideoElement>(null);
  const isSeen = useIsSeen(film);
  useEffect(() => (film.current ? followFilm(film.current) : undefined), []);
  const fill = "absolute inset-0 size-full object-cover";
  return kind === "video" ? (
    <video
      ref={film}
      muted
      loop
      playsInline
      preload="none"
      tabIndex={-1}
      aria-hidden
      className={fill}
      src={url}
      poster={isSeen ? (still ?? undefined) : undefined}
      onPointerEnter={() => preferFilm(film.current)}
    />
  ) : (
    // biome-ignore lint/performance/noImgElement: the file is served as it is.
    <img src={url} alt="" loading="lazy" decoding="async" className={fill} />
  );
}
