/** The query of a list of tasks, in the form of the videos' tasks. */
import { findModel } from "../../catalog/models";
import { REQUESTED_MODEL_LENGTH_MAX } from "../../contract/limits";
import { taskStatuses } from "../../contract/states";
import { serviceTiers } from "../../contract/video-settings";
import { isTaskIds, taskIdsRule } from "../../contract/video-task";
import { invalidValue } from "../../failures/relay-error";
import type { TaskFilter } from "./task-lists";

const PAGE_MAX = 500;
const PAGE_SIZE_DEFAULT = 20;
const IDS_MAX = 500;

function wholeOf(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= 1 && value <= PAGE_MAX) return value;
  const message = `\`${name}\` is ${JSON.stringify(text.slice(0, 60))}: it must be a whole number from 1 to ${PAGE_MAX}.`;
  throw invalidValue(name, message);
}

export function taskFilterOf(text: string): TaskFilter {
  const query = new URLSearchParams(text);
  const requested = query.get("filter.status") || null;
  const status = taskStatuses.find((each) => each === requested) ?? null;
  if (requested !== null && status === null) {
    const message = `\`filter.status\` is ${JSON.stringify(requested.slice(0, 60))}: it must be one of ${taskStatuses.join(", ")}.`;
    throw invalidValue("filter.status", message);
  }
  const tierAsked = query.get("filter.service_tier") || null;
  const serviceTier = serviceTiers.find((each) => each === tierAsked) ?? null;
  if (tierAsked !== null && serviceTier === null) {
    const message = `\`filter.service_tier\` is ${JSON.stringify(tierAsked.slice(0, 60))}: it must be one of ${serviceTiers.join(", ")}.`;
    throw invalidValue("filter.service_tier", message);
  }
  const given = query.getAll("filter.task_ids");
  const wrong = given.find((one) => !isTaskIds(one));
  if (wrong !== undefined) {
    const message = `\`filter.task_ids\` is ${JSON.stringify(wrong.slice(0, 60))}: ${taskIdsRule}.`;
    throw invalidValue("filter.task_ids", message);
  }
  const ids = given.flatMap((one) => one.split(","));
  if (ids.length > IDS_MAX) {
    const message = `\`filter.task_ids\` names ${ids.length} tasks: it must name at most ${IDS_MAX}.`;
    throw invalidValue("filter.task_ids", message);
  }
  const model = query.get("filter.model") || null;
  if (model !== null && model.length > REQUESTED_MODEL_LENGTH_MAX) {
    const message = `\`filter.model\` has ${model.length} characters: it must have at most ${REQUESTED_MODEL_LENGTH_MAX}.`;
    throw invalidValue("filter.model", message);
  }
  return {
    page: wholeOf(query, "page_num", 1),
    pageSize: wholeOf(query, "page_size", PAGE_SIZE_DEFAULT),
    status,
    ids: ids.filter((id) => id !== ""),
    model: model === null ? null : (findModel(model)?.id ?? model),
    serviceTier,
  };
}
