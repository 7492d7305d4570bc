/**
 * Which films of a page play: a few of those in view, so that only these load. With reduced motion,
 * or once they are stopped, none does.
 */

const PLAYING_MAX = 4;
const STILLNESS = "(prefers-reduced-motion: reduce)";

const inView = new Set<HTMLVideoElement>();
let isStopped = false;

function playAsMany(): void {
  const isStill = isStopped || matchMedia(STILLNESS).matches;
  [...inView].forEach((film, at) => {
    if (isStill || at >= PLAYING_MAX) film.pause();
    else void film.play().catch(() => {});
  });
}

/** Follows a film from now on; the answer ends that. */
export function followFilm(film: HTMLVideoElement): () => void {
  const leave = () => {
    film.pause();
    if (inView.delete(film)) playAsMany();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.at(-1)?.isIntersecting) return leave();
      inView.add(film);
      playAsMany();
    },
    { threshold: 0.5 },
  );
  observer.observe(film);
  const stillness = matchMedia(STILLNESS);
  stillness.addEventListener("change", playAsMany);
  return () => {
    observer.disconnect();
    stillness.removeEventListener("change", playAsMany);
    leave();
  };
}

/** Plays a film that is pointed at before the others. */
export function preferFilm(film: HTMLVideoElement | null): void {
  if (film === null || !inView.has(film)) return;
  const others = [...inView].filter((each) => each !== film);
  inView.clear();
  for (const each of [film, ...others]) inView.add(each);
  playAsMany();
}

export function stopFilms(stop: boolean): void {
  isStopped = stop;
  playAsMany();
}
