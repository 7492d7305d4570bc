/** The rows of the endpoint table for images. */
import { free, get, named, post, remove, type Unnameds } from "./endpoint";
import { imageEditRequest, imageRequest, imageResponse } from "./image";
import { imageTask, imageTaskList } from "./image-task";
import { FORM_FILE_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import { nothing, videoTaskQuery } from "./video-task";

const MEBIBYTE = 1024 * 1024;
/** As many as any model takes; together they are held to what four of the largest have. */
const FILES_MAX = 14;
const LARGEST_FILES = 4;

const own = { group: "images", admits: ["apiKey", "session"] } as const;
const one = { ...own, parameter: "The id of the image" } as const;
const sold = {
  ...own,
  billing: "generation",
  rate: "request",
  bodyBytesMax: MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE,
  textBytesMax: MEBIBYTE,
  storesText: true,
  response: imageResponse,
  accepted: imageTask,
} as const;

export const imageEndpoints = named({
  createImage: {
    ...post("/v1/images/generations"),
    ...sold,
    summary: "Create an image",
    request: imageRequest,
  },
  createImageEdit: {
    ...post("/v1/images/edits"),
    ...sold,
    summary: "Create an image from one or more images, sent as files or as addresses",
    request: imageEditRequest,
    form: {
      fileFields: ["image", "mask", "markup"],
      filesMax: FILES_MAX,
      fileBytesMax: FORM_FILE_MEBIBYTES_MAX * MEBIBYTE,
      bodyBytesMax: (LARGEST_FILES * FORM_FILE_MEBIBYTES_MAX + 1) * MEBIBYTE,
    },
  },
  listImages: {
    ...get("/v1/images/generations"),
    ...own,
    summary: "List your images of the last seven days, newest first",
    ...free("poll"),
    query: videoTaskQuery,
    response: imageTaskList,
  },
  getImage: {
    ...get("/v1/images/generations/{id}"),
    ...one,
    summary: "Get an image, however it was ordered, with the link to it once it has succeeded",
    ...free("poll"),
    response: imageTask,
  },
  deleteImage: {
    ...remove("/v1/images/generations/{id}"),
    ...one,
    summary: "Cancel an image that was not sent yet, or hide one that has ended",
    ...free("request"),
    response: nothing,
  },
} as const satisfies Unnameds);
