/** One thing that the product needs, as it was found. */
export interface Found {
  readonly name: string;
  /** `note`: it works, and an operator should know of it. */
  readonly state: "good" | "note" | "bad";
  readonly text: string;
}

export const good = (name: string, text: string): Found => ({ name, state: "good", text });
export const note = (name: string, text: string): Found => ({ name, state: "note", text });
export const bad = (name: string, text: string): Found => ({ name, state: "bad", text });

const PATIENCE_MS = 10_000;

const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const text = `${error.message}${cause}`.replaceAll(/\s+/g, " ");
  // A library may name the address with what is secret in it.
  return text.replaceAll(/\/\/[^\s/@]*@/g, "//…@").slice(0, 300);
};

/** What `check` finds; that it fails, or is silent for ten seconds, is bad. Never rejects. */
export async function found(
  name: string,
  check: () => Promise<Found | readonly Found[]>,
  patienceMs = PATIENCE_MS,
): Promise<readonly Found[]> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<Found>((resolve) => {
    timer = setTimeout(
      resolve,
      patienceMs,
      bad(name, `gave no answer within ${patienceMs / 1000} s`),
    );
  });
  try {
    return [await Promise.race([check(), silent])].flat();
  } catch (error) {
    return [bad(name, messageOf(error))];
  } finally {
    clearTimeout(timer);
  }
}
