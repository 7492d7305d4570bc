/** The models in the form of the Messages API, with the members that they have for everyone. */
import type { ModelEntry, ModelList } from "../../contract/model-list";

export function messagesModel(entry: ModelEntry): ModelEntry {
  return {
    ...entry,
    type: "model",
    display_name: entry.id,
    created_at: new Date(entry.created * 1000).toISOString(),
  };
}

/** The list is never parted into pages. */
export function messagesModelList({ data, ...list }: ModelList): ModelList {
  return {
    ...list,
    data: data.map(messagesModel),
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}
