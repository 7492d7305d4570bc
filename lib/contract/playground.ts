/** Rows by which a signed-in page calls the relay's own endpoints. */
import { z } from "zod";
import type { EndpointName, Endpoints } from "./endpoints";
import type { Callable } from "./page-endpoint";
import type { PLAYGROUND_PATH } from "./page-paths";

/** The compiler checks method and path against the relay's table. */
export type PlaygroundRows = {
  readonly [Name in EndpointName]?: Callable & {
    readonly method: Endpoints[Name]["method"];
    readonly path: `${typeof PLAYGROUND_PATH}${Endpoints[Name]["path"]}`;
  };
};

/** What cancels an order that is queued. */
export const cancelRows = {
  deleteVideoTask: {
    method: "DELETE",
    path: "/api/playground/v1/contents/generations/tasks/{id}",
    answer: z.unknown(),
  },
  deleteImage: {
    method: "DELETE",
    path: "/api/playground/v1/images/generations/{id}",
    answer: z.unknown(),
  },
} as const satisfies PlaygroundRows;
