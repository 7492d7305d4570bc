/** The rows of the endpoint table for videos in the form of the Videos API. */
import { type EndpointRow, free } from "./endpoint";
import { FORM_FILE_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import { file } from "./service-answers";
import {
  videoContentQuery,
  videoJob,
  videoJobDeleted,
  videoJobList,
  videoJobQuery,
  videoJobRequest,
} from "./video-job";

const MEBIBYTE = 1024 * 1024;

const own = {
  parameter: "The id of the video",
  group: "videos",
  admits: ["apiKey", "session"],
  dialect: "videos",
  billing: "free",
  bodyBytesMax: 0,
  request: null,
} as const;

export const videoJobEndpoints = {
  createVideoJob: {
    name: "createVideoJob",
    method: "POST",
    path: "/v1/videos",
    group: "videos",
    summary: "Create a video in the form of the Videos API, and get its id",
    admits: ["apiKey", "session"],
    dialect: "videos",
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE,
    textBytesMax: MEBIBYTE,
    request: videoJobRequest,
    form: {
      fileFields: ["input_reference"],
      filesMax: 1,
      fileBytesMax: FORM_FILE_MEBIBYTES_MAX * MEBIBYTE,
      bodyBytesMax: (FORM_FILE_MEBIBYTES_MAX + 1) * MEBIBYTE,
    },
    storesText: true,
    response: videoJob,
  },
  listVideoJobs: {
    name: "listVideoJobs",
    method: "GET",
    path: "/v1/videos",
    group: "videos",
    summary: "List your videos of the last seven days, in the form of the Videos API",
    admits: ["apiKey", "session"],
    dialect: "videos",
    ...free("poll"),
    query: videoJobQuery,
    response: videoJobList,
  },
  getVideoJob: {
    ...own,
    name: "getVideoJob",
    method: "GET",
    path: "/v1/videos/{id}",
    summary: "Get a video in the form of the Videos API",
    rate: "poll",
    response: videoJob,
  },
  deleteVideoJob: {
    ...own,
    name: "deleteVideoJob",
    method: "DELETE",
    path: "/v1/videos/{id}",
    summary: "Cancel a queued video, or hide one that has ended",
    rate: "request",
    response: videoJobDeleted,
  },
  getVideoContent: {
    ...own,
    name: "getVideoContent",
    method: "GET",
    path: "/v1/videos/{id}/content",
    summary: "Get the file of a completed video; the whole file or a range of it",
    rate: "poll",
    query: videoContentQuery,
    response: file,
  },
} as const satisfies Record<string, EndpointRow>;
