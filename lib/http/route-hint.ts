/** What a client probably meant that called an address which does not exist. */
import type { EndpointRow } from "../contract/endpoint";
import { editDistance } from "./edit-distance";

/** A longer path gets no hint, so that looking for one is always fast. */
const PATH_CHARACTERS_MAX = 100;
/** The part of a path's characters that may be wrong. */
const WRONG_PART = 1 / 4;

const ELSEWHERE = "The API reference at /docs/api lists all endpoints.";
export const NO_VIDEO_TOOLS =
  "Videos cannot be remixed, edited or extended here, and there are no characters: create a video with POST /v1/videos, from an image with `input_reference`.";

const videoTool = /^\/v1\/videos\/(?:(?:edits|extensions|characters)(?:\/[^/]*)?|[^/]+\/remix)$/;

/** What other services do with videos, and this one does not. */
export const isVideoTool = (method: string, path: string): boolean =>
  path.length <= PATH_CHARACTERS_MAX &&
  videoTool.test(path) &&
  (method === "POST" || !/^\/v1\/videos\/[^/]+$/.test(path));

const called = ({ method, path }: EndpointRow) => `${method} ${path}`;
const lastOf = (path: string) => path.slice(path.lastIndexOf("/"));

/** The row's path with the parameter that `path` has at its place. */
function pathLike({ path: own }: EndpointRow, path: string): string {
  const given = path.split("/");
  return own
    .split("/")
    .map((step, at) => (step.startsWith("{") ? (given[at] ?? step) : step))
    .join("/");
}

/** The row whose path is most like `path`; undefined when none is. */
function nearest(rows: readonly EndpointRow[], method: string, path: string) {
  let best: EndpointRow | undefined;
  let least = Math.floor(path.length * WRONG_PART);
  for (const row of rows) {
    const like = pathLike(row, path);
    if (Math.abs(like.length - path.length) > least) continue;
    const distance = editDistance(path, like);
    if (distance > least || (distance === least && best && row.method !== method)) continue;
    best = row;
    least = distance;
  }
  return best ?? rows.find((row) => row.method === method && lastOf(row.path) === lastOf(path));
}

/** A path as it should be written: `/v1` once, and no slash at the end. */
function tidied(path: string): string {
  const repeated = /^(?:\/v1)+(?=\/|$)/.exec(path)?.[0].length ?? 0;
  const once = repeated === 0 ? path : `/v1${path.slice(repeated)}`;
  let end = once.length;
  while (end > 1 && once[end - 1] === "/") end--;
  return once.slice(0, end).replaceAll(/\/{2,}/g, "/");
}

/** The message for a path below `/v1` at which nothing is. */
export function hintFor(rows: readonly EndpointRow[], method: string, path: string): string {
  if (path.length > PATH_CHARACTERS_MAX) return `There is no endpoint at this path. ${ELSEWHERE}`;
  const written = tidied(path);
  const meant = nearest(rows, method, written.toLowerCase());
  if (meant === undefined) return `There is no endpoint at this path. ${ELSEWHERE}`;
  const isExact = pathLike(meant, written) === written;
  const why = path.startsWith("/v1/v1")
    ? "The path has /v1 twice: the base URL of a client ends with it already."
    : isExact && path.endsWith("/")
      ? "The path ends with a slash."
      : "There is no endpoint at this path.";
  return `${why} Did you mean ${called(meant)}? ${ELSEWHERE}`;
}
