/** The rows of the endpoint table for images. */
import { type EndpointRow, free } from "./endpoint";
import { imageEditRequest, imageRequest, imageResponse } from "./image";
import { imageTask, imageTaskList } from "./image-task";
import { FORM_FILE_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import { nothing, videoTaskQuery } from "./video-task";

const MEBIBYTE = 1024 * 1024;
/** As many as any model takes; together they are held to what four of the largest have. */
const FILES_MAX = 14;
const LARGEST_FILES = 4;

const own = {
  method: "POST",
  group: "images",
  admits: ["apiKey", "session"],
  billing: "generation",
  rate: "request",
  bodyBytesMax: MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE,
  textBytesMax: MEBIBYTE,
  storesText: true,
  response: imageResponse,
  accepted: imageTask,
} as const;

const ofOne = {
  parameter: "The id of the image",
  group: "images",
  admits: ["apiKey", "session"],
  billing: "free",
  bodyBytesMax: 0,
  request: null,
} as const;

export const imageEndpoints = {
  createImage: {
    ...own,
    name: "createImage",
    path: "/v1/images/generations",
    summary: "Create an image",
    request: imageRequest,
  },
  createImageEdit: {
    ...own,
    name: "createImageEdit",
    path: "/v1/images/edits",
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
    name: "listImages",
    method: "GET",
    path: "/v1/images/generations",
    group: "images",
    summary: "List your images of the last seven days, newest first",
    admits: ["apiKey", "session"],
    ...free("poll"),
    query: videoTaskQuery,
    response: imageTaskList,
  },
  getImage: {
    ...ofOne,
    name: "getImage",
    method: "GET",
    path: "/v1/images/generations/{id}",
    summary: "Get an image, however it was ordered, with the link to it once it has succeeded",
    rate: "poll",
    response: imageTask,
  },
  deleteImage: {
    ...ofOne,
    name: "deleteImage",
    method: "DELETE",
    path: "/v1/images/generations/{id}",
    summary: "Cancel an image that was not sent yet, or hide one that has ended",
    rate: "request",
    response: nothing,
  },
} as const satisfies Record<string, EndpointRow>;
