/** The rows of the endpoint table for videos in the form of the Videos API. */
import { free, get, named, post, remove, type Unnameds } from "./endpoint";
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

const own = { group: "videos", admits: ["apiKey", "session"], dialect: "videos" } as const;
const one = { ...own, parameter: "The id of the video" } as const;

export const videoJobEndpoints = named({
  createVideoJob: {
    ...post("/v1/videos"),
    ...own,
    summary: "Create a video in the form of the Videos API, and get its id",
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
    ...get("/v1/videos"),
    ...own,
    summary: "List your videos of the last seven days, in the form of the Videos API",
    ...free("poll"),
    query: videoJobQuery,
    response: videoJobList,
  },
  getVideoJob: {
    ...get("/v1/videos/{id}"),
    ...one,
    summary: "Get a video in the form of the Videos API",
    ...free("poll"),
    response: videoJob,
  },
  deleteVideoJob: {
    ...remove("/v1/videos/{id}"),
    ...one,
    summary: "Cancel a queued video, or hide one that has ended",
    ...free("request"),
    response: videoJobDeleted,
  },
  getVideoContent: {
    ...get("/v1/videos/{id}/content"),
    ...one,
    summary: "Get the file of a completed video; the whole file or a range of it",
    ...free("poll"),
    query: videoContentQuery,
    response: file,
  },
} as const satisfies Unnameds);
