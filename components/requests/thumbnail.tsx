import { useRef } from "react";
import { useIsSeen } from "@/components/ui/use-is-seen";
import type { TaskView } from "@/lib/contract/tasks";

const cover = "size-full object-cover";
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A small picture of a result; a film loads its beginning once it is seen, and plays under the pointer. */
export function Thumbnail({ family, path }: { family: TaskView["family"]; path: string }) {
  const film = useRef<HTMLVideoElement>(null);
  const isSeen = useIsSeen(film);
  if (family === "image") {
    // biome-ignore lint/performance/noImgElement: a signed address of a file that is shown once
    return <img src={path} alt="" loading="lazy" className={cover} />;
  }
  return (
    <video
      ref={film}
      muted
      loop
      playsInline
      tabIndex={-1}
      aria-hidden
      preload={isSeen ? "metadata" : "none"}
      src={path}
      className={cover}
      onPointerEnter={({ currentTarget }) => isCalm() || void currentTarget.play().catch(() => {})}
      onPointerLeave={({ currentTarget }) => currentTarget.pause()}
    />
  );
}
