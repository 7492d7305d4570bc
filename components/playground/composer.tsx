import { Paperclip, SendHorizontal, Square, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/lib/client/hydrated";
import { FILE_MEBIBYTES_MAX, pictureOf } from "@/lib/client/picture-file";
import { useMay } from "@/lib/client/shown-account";
import { pictureDrop } from "./picture-drop";

/** As many as a request of the largest pictures has room for. */
const IMAGES_MAX = 4;

export interface Draft {
  text: string;
  images: readonly string[];
}

interface ComposerProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  isRunning: boolean;
  /** The line of text, for who puts the focus there. */
  line: RefObject<HTMLTextAreaElement | null>;
  onSend: () => void;
  onStop: () => void;
  /** Beside the paperclip, filling the line: what a small screen has no room for, and the cost. */
  children?: ReactNode;
}

/** Puts the focus into the line, but where that would bring up a keyboard on the screen. */
function useFocusOnce(line: ComposerProps["line"], isHydrated: boolean): void {
  useEffect(() => {
    if (isHydrated && matchMedia("(pointer: fine)").matches)
      line.current?.focus({ preventScroll: true });
  }, [line, isHydrated]);
}

export function Composer(props: ComposerProps) {
  const { draft, onChange, isRunning, line, onSend, onStop, children } = props;
  const t = useTranslations("playground");
  const studio = useTranslations("studio");
  const [isFileWrong, setIsFileWrong] = useState(false);
  const isHydrated = useHydrated();
  useFocusOnce(line, isHydrated);
  const orders = useMay("order");
  const canSend = orders && (draft.text.trim() !== "" || draft.images.length > 0);
  const send = () => {
    if (canSend && !isRunning) onSend();
  };
  const attach = async (files: readonly File[]) => {
    const read = await Promise.all(files.map(pictureOf));
    setIsFileWrong(read.includes(null));
    const pictures = read.filter((address) => address !== null);
    const images = [...new Set([...draft.images, ...pictures])].slice(0, IMAGES_MAX);
    if (pictures.length > 0) onChange({ ...draft, images });
  };
  return (
    <form
      className="mx-auto w-full max-w-200 px-4 pb-3 lg:px-6 lg:pb-5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...pictureDrop((files) => void attach(files))}
    >
      {isFileWrong ? (
        <p role="alert" className="mb-2 text-bad text-sm">
          {studio("fileWrong", { size: FILE_MEBIBYTES_MAX })}
        </p>
      ) : null}
      <div className="rounded-lg border border-control bg-card shadow-lift focus-within:border-ink">
        <Attached
          images={draft.images}
          onRemove={(image) =>
            onChange({ ...draft, images: draft.images.filter((each) => each !== image) })
          }
        />
        <textarea
          ref={line}
          aria-label={t("message")}
          // What is written before hydration would be lost.
          disabled={!isHydrated}
          placeholder={t("placeholder")}
          rows={2}
          className="field-sizing-content block max-h-48 min-h-14 w-full resize-none bg-transparent px-3.5 pt-2.5 text-base placeholder:text-faint focus-visible:outline-none max-sm:text-lg"
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <div className="flex items-center gap-2 p-2">
          <AttachButton
            isOff={draft.images.length >= IMAGES_MAX}
            onFiles={(files) => void attach(files)}
          />
          {children}
          <SendOrStop isRunning={isRunning} canSend={canSend} onStop={onStop} />
        </div>
      </div>
    </form>
  );
}

interface SendOrStopProps {
  isRunning: boolean;
  canSend: boolean;
  onStop: () => void;
}

function SendOrStop({ isRunning, canSend, onStop }: SendOrStopProps) {
  const t = useTranslations("playground");
  return isRunning ? (
    <Button size="small" onClick={onStop} aria-keyshortcuts="Escape">
      <Square aria-hidden />
      {t("stop")}
    </Button>
  ) : (
    <Button type="submit" size="small" look="signal" disabled={!canSend}>
      <SendHorizontal aria-hidden />
      {t("send")}
    </Button>
  );
}

function AttachButton({ isOff, onFiles }: { isOff: boolean; onFiles: (files: File[]) => void }) {
  const t = useTranslations("playground");
  return (
    <label
      title={t("attach")}
      className="grid size-8 cursor-pointer place-items-center rounded-md text-muted hover:bg-wash hover:text-ink has-disabled:cursor-not-allowed has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-signal"
    >
      <Paperclip aria-hidden className="size-4" />
      <input
        type="file"
        accept="image/*"
        multiple
        disabled={isOff}
        aria-label={t("attach")}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </label>
  );
}

interface AttachedProps {
  images: readonly string[];
  onRemove: (image: string) => void;
}

function Attached({ images, onRemove }: AttachedProps) {
  const t = useTranslations("studio");
  if (images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map((image, at) => (
        <li key={image} className="relative size-16 overflow-hidden rounded-md border bg-wash">
          {/* biome-ignore lint/performance/noImgElement: a picture of this device, in the page's memory */}
          <img
            src={image}
            alt={t("picture", { number: at + 1 })}
            className="size-full object-cover"
          />
          <button
            type="button"
            aria-label={t("remove", { number: at + 1 })}
            onClick={() => onRemove(image)}
            className="absolute top-0.5 right-0.5 grid size-6 place-items-center rounded-full bg-scrim text-on-scrim"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
