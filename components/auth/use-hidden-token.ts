import { useEffect } from "react";

/** Removes the token of a mailed link from the address bar and the history. */
export function useHiddenToken(): void {
  useEffect(() => {
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }, []);
}
