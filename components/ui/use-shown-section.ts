import { useEffect, useState } from "react";

/** The last section that begins in the upper third of the window, or the one that a link led to at the page's end. */
function findShown(ids: readonly string[]): string | undefined {
  const page = document.documentElement;
  const isAtEnd =
    window.scrollY > 0 && window.scrollY + window.innerHeight >= page.scrollHeight - 2;
  if (isAtEnd) return ids.find((id) => `#${id}` === window.location.hash) ?? ids.at(-1);
  const begun = ids.filter((id) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top < window.innerHeight / 3;
  });
  return begun.at(-1) ?? ids[0];
}

/** The id of the section that is being read, of those of the page in their order. */
export function useShownSection(ids: readonly string[]): string | undefined {
  const [shown, setShown] = useState(ids[0]);
  const all = ids.join(" ");
  useEffect(() => {
    const find = () => setShown(findShown(all.split(" ")));
    find();
    const events = ["scroll", "resize", "hashchange"];
    for (const event of events) window.addEventListener(event, find, { passive: true });
    return () => {
      for (const event of events) window.removeEventListener(event, find);
    };
  }, [all]);
  return shown;
}
