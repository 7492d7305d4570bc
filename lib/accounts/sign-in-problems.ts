/**
 * The problems of failed sign-ins and mails. Strangers cause most of them,
 * so they are bounded in number and size.
 */
const PER_MINUTE_MAX = 20;
const CHARACTERS_MAX = 300;
const MINUTE_MS = 60_000;

type Report = (fields: object, message: string) => void;

/** Returns a function that passes a problem on, and reports once a minute how many were dropped. */
export function boundProblems(
  clock: () => number = () => performance.now(),
  about: "sign-in" | "mail" = "sign-in",
) {
  let minute = Number.NEGATIVE_INFINITY;
  let told = 0;
  let leftOut = 0;
  return (report: Report, code: string, error: unknown): void => {
    const now = clock();
    if (now - minute >= MINUTE_MS) {
      if (leftOut > 0)
        report({ leftOut }, `${about}: more problems within a minute than are written down`);
      minute = now;
      told = 0;
      leftOut = 0;
    }
    if (told >= PER_MINUTE_MAX) {
      leftOut++;
      return;
    }
    told++;
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    report(
      { code: code.slice(0, 100), reason: `${name}: ${message}`.slice(0, CHARACTERS_MAX) },
      about,
    );
  };
}
