"use client";

import { useRef } from "react";
import { cn } from "@/components/ui/class-names";
import { useIsSeen } from "@/components/ui/use-is-seen";
import type { Example } from "@/lib/contract/shown-example";

/** A picture, or a video that plays while it is pointed at or has the focus. */
export function ExampleTile({
  example,
  href,
  label,
  hasName,
  className,
}: {
  example: Example;
  href: string;
  label: string;
  hasName: boolean;
  className?: string;
}) {
  const { kind, url, still, model } = example;
  const film = useRef<HTMLVideoElement>(null);
  const box = useRef<HTMLAnchorElement>(null);
  const isSeen = useIsSeen(box);
  const play = () => {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
      film.current?.play().catch(() => {});
  };
  const fill = "absolute inset-0 size-full object-cover";
  return (
    <a
      ref={box}
      href={href}
      aria-label={label}
      onPointerEnter={play}
      onPointerLeave={() => film.current?.pause()}
      onFocus={play}
      onBlur={() => film.current?.pause()}
      className={cn("relative block overflow-hidden rounded-md bg-wash", className)}
    >
      {kind === "video" ? (
        <video
          ref={film}
          muted
          loop
          playsInline
          preload="none"
          tabIndex={-1}
          aria-hidden
          className={fill}
          src={isSeen ? url : undefined}
          poster={isSeen ? (still ?? undefined) : undefined}
        />
      ) : (
        // biome-ignore lint/performance/noImgElement: the file is served as it is.
        <img src={url} alt="" loading="lazy" decoding="async" className={fill} />
      )}
      {hasName ? (
        <span className="absolute bottom-1.5 left-1.5 rounded-sm bg-scrim px-1.5 py-0.5 text-on-scrim text-xs">
          {model}
        </span>
      ) : null}
    </a>
  );
}
