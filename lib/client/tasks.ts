/** The account's videos and images. Running ones are polled until they have ended. */
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type * as z from "zod";
import { cancelRows } from "../contract/playground";
import { isTaskOpen } from "../contract/states";
import {
  TASK_IDS_MAX,
  type TaskFilterView,
  type TaskView,
  taskEndpoints,
  type tasksResponse,
} from "../contract/tasks";
import { call } from "./call";
import { type Paging, usePages } from "./pages";

const OPEN_POLL_MS = 2000;
const TYPICAL_STALE_MS = 300_000;
const ALL = ["tasks"];
const LISTS = ["tasks", "list"];

type Pages = InfiniteData<z.infer<typeof tasksResponse>, string | null>;

export const isOpenTask = ({ status }: Pick<TaskView, "status">) => isTaskOpen(status);

/** Width over height, as delivered or as ordered. */
export function shapeOfTask({ delivered, settings }: TaskView): number {
  const width = delivered?.width ?? settings.width;
  const height = delivered?.height ?? settings.height;
  if (width && height) return width / height;
  const [across = 16, down = 9] = (settings.ratio ?? "16:9").split(":").map(Number);
  return across / down || 16 / 9;
}

function inLists(client: QueryClient, change: (tasks: readonly TaskView[]) => TaskView[]): void {
  client.setQueriesData<Pages>({ queryKey: LISTS }, (shown) =>
    shown
      ? { ...shown, pages: shown.pages.map((page) => ({ ...page, tasks: change(page.tasks) })) }
      : shown,
  );
}

/** Polls the running tasks only, however long the list is. */
function useOpenTasks(tasks: readonly TaskView[]): void {
  const client = useQueryClient();
  const ids = tasks.filter(isOpenTask).slice(0, TASK_IDS_MAX);
  const asked = ids.map(({ id }) => id).join();
  useQuery({
    queryKey: ["tasks", "open", asked],
    queryFn: async ({ signal }) => {
      const query = { ids: asked, limit: String(TASK_IDS_MAX) };
      const { tasks: now } = await call(taskEndpoints.listTasks, { query, signal });
      const byId = new Map(now.map((task) => [task.id, task]));
      inLists(client, (all) => all.map((task) => byId.get(task.id) ?? task));
      if (now.some((task) => !isOpenTask(task))) {
        void client.invalidateQueries({ queryKey: ["me"] });
        void client.invalidateQueries({ queryKey: ["usage"] });
      }
      return now.length;
    },
    enabled: asked !== "",
    refetchInterval: OPEN_POLL_MS,
  });
}

/** The tasks of a filter, newest first, one page at a time; null until the filter is known. */
export function useTasks(filter: TaskFilterView | null) {
  const read =
    filter &&
    (({ cursor, signal }: Paging) =>
      call(taskEndpoints.listTasks, { query: { ...filter, cursor }, signal }));
  const query = usePages([...LISTS, filter], read);
  const tasks = query.data?.pages.flatMap((page) => page.tasks);
  useOpenTasks(tasks ?? []);
  return { ...query, tasks };
}

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ["tasks", "one", id],
    queryFn: ({ signal }) => call(taskEndpoints.showTask, { id, signal }),
    refetchInterval: ({ state }) =>
      state.data && isOpenTask(state.data.task) ? OPEN_POLL_MS : false,
  });

/** One task with the time at which each state was reached; null disables the query. */
export const useTask = (id: string | null) =>
  useQuery({ ...taskQuery(id ?? ""), enabled: id !== null });

/** Those of some tasks that are there. */
export const useTasksById = (ids: readonly string[]) =>
  useQueries({ queries: ids.map(taskQuery) }).flatMap(({ data }) => data?.task ?? []);

export function useTypicalSeconds(model: string, tier?: string | null): number | null {
  const { data } = useQuery({
    queryKey: ["task-times"],
    queryFn: ({ signal }) => call(taskEndpoints.showTypicalTimes, { signal }),
    staleTime: TYPICAL_STALE_MS,
  });
  return (tier === "flex" ? data?.flexSeconds : data?.seconds)?.[model] ?? null;
}

/** Removes an ended task from the list, and from the cache at once. */
export function useRemoveTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(taskEndpoints.removeTask, { id }),
    onMutate: (id) => inLists(client, (tasks) => tasks.filter((task) => task.id !== id)),
    onSettled: () => client.invalidateQueries({ queryKey: ALL }),
  });
}

/** Cancels a video or an image that is queued. */
export function useCancelTask() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ family, id }: Pick<TaskView, "family" | "id">) =>
      call(cancelRows[family === "video" ? "deleteVideoTask" : "deleteImage"], { id }),
    onSettled: () => client.invalidateQueries({ queryKey: ALL }),
  });
}
