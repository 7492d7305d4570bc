/**
 * Requests of the operators' settings page to `/api/admin/settings` and `/api/admin/notices`, and
 * their answers.
 */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { NOTICE_LENGTH_MAX, SETTING_BODY_BYTES_MAX, SETTING_LENGTH_MAX } from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { liveSettingNames } from "./setting-names";
import { noticeLevels } from "./states";

const settingValue = z.string().max(SETTING_LENGTH_MAX);

const setting = z.object({
  name: z.enum(liveSettingNames),
  value: settingValue,
  source: z.enum(["here", "environment", "default"]),
  /** The value that would apply if none were set in the database. */
  otherwise: answerText,
  updatedAt: moment.nullable(),
  /** An email address or `cli`. */
  updatedBy: answerText.nullable(),
});

const notice = z.object({
  id: answerText,
  level: z.enum(noticeLevels),
  textEn: answerText,
  textZh: answerText,
  startsAt: moment,
  endsAt: moment.nullable(),
  state: z.enum(["coming", "shown", "ended"]),
});

const noticesResponse = z.object({ notices: answerRows(notice) });
export const operatorSettingsResponse = z.object({
  settings: answerRows(setting),
  ...noticesResponse.shape,
});

/** `value: null` removes the value from the database. */
const setSettingRequest = z.strictObject({
  name: z.enum(liveSettingNames),
  value: settingValue.nullable(),
});
const postNoticeRequest = z.strictObject({
  level: z.enum(noticeLevels).default("info"),
  textEn: z.string().trim().min(1).max(NOTICE_LENGTH_MAX),
  textZh: z.string().trim().min(1).max(NOTICE_LENGTH_MAX),
  /** Null for now. */
  startsAt: moment.nullable(),
  /** Null for no planned end. */
  endsAt: moment.nullable(),
});

export const settingEndpoints = {
  showOperatorSettings: {
    ...get("/api/admin/settings", byOperator("settings:read")),
    answer: operatorSettingsResponse,
  },
  setLiveSetting: {
    ...post("/api/admin/settings", byOperator("settings:write")),
    command: "setting set",
    proof: "recent",
    body: setSettingRequest,
    bodyBytesMax: SETTING_BODY_BYTES_MAX,
    answer: operatorSettingsResponse,
  },
  listNotices: {
    ...get("/api/admin/notices", byOperator("settings:read")),
    command: "notice list",
    answer: noticesResponse,
  },
  postNotice: {
    ...post("/api/admin/notices", byOperator("notices:write")),
    command: "notice post",
    proof: "recent",
    body: postNoticeRequest,
    answer: noticesResponse,
  },
  endNotice: {
    ...post("/api/admin/notices/{id}/end", byOperator("notices:write")),
    command: "notice end",
    proof: "recent",
    answer: noticesResponse,
  },
} as const satisfies PageEndpoints;

export type LiveSettingView = z.infer<typeof setting>;
export type NoticeView = z.infer<typeof notice>;
export type PostNoticeBody = z.input<typeof postNoticeRequest>;
