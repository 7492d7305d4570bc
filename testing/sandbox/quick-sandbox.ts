import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { createStudio, type Studio } from "@/lib/sandbox/studio";

/** Videos are drawn small: what is read of them is their order and their bytes. */
const VIDEO = { width: 64, height: 64, seconds: 1 } as const;

/** A studio that draws each order once and gives the same file to the orders that equal it. */
export function rememberingStudio(): Studio {
  const studio = createStudio();
  const files = new Map<string, Promise<Uint8Array>>();
  return {
    make(asked) {
      const order = asked.kind === "mp4" ? { ...asked, ...VIDEO } : asked;
      const name = JSON.stringify(order);
      const known = files.get(name);
      if (known) return known;
      const file = studio.make(order);
      files.set(name, file);
      file.catch(() => files.delete(name));
      return file;
    },
    close: () => studio.close(),
  };
}

/**
 * The sandbox for tests that are not about its drawing, which takes seconds of processor time for
 * each video. With `pace` 1 its tasks take as long as for people.
 */
export const startQuickSandbox = (pace = 0): Promise<Sandbox> =>
  startSandbox({ pace, studio: rememberingStudio() });
