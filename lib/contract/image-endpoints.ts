/** The rows of the endpoint table for images. */
import type { EndpointRow } from "./endpoint";
import { imageEditRequest, imageRequest, imageResponse } from "./image";
import { FORM_FILE_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";

const MEBIBYTE = 1024 * 1024;
const FILES_MAX = 4;

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
      fileFields: ["image"],
      filesMax: FILES_MAX,
      fileBytesMax: FORM_FILE_MEBIBYTES_MAX * MEBIBYTE,
      bodyBytesMax: (FILES_MAX * FORM_FILE_MEBIBYTES_MAX + 1) * MEBIBYTE,
    },
  },
} as const satisfies Record<string, EndpointRow>;
