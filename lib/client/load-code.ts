const ATTEMPTS = 3;
const PAUSE_MS = 2000;

function networkIsBack(): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener("online", () => resolve(), { once: true });
  });
}

/**
 * Loads a part of the page's code. Without a network it waits for one; otherwise it asks up to three
 * times. Errors: what the last attempt threw.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load();
    } catch (error) {
      if (!navigator.onLine) {
        await networkIsBack();
        attempt = 0;
      } else if (attempt === ATTEMPTS) throw error;
      else await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
