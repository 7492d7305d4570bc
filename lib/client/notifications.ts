import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChooseNotifications, notificationEndpoints } from "../contract/notifications";
import { call } from "./call";
import { usePages } from "./pages";

export const choicesQuery = queryOptions({
  queryKey: ["notification-choices"],
  queryFn: ({ signal }) => call(notificationEndpoints.showNotificationChoices, { signal }),
});

export function useChooseNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ChooseNotifications) =>
      call(notificationEndpoints.chooseNotifications, { body }),
    onSuccess: (choices) => client.setQueryData(choicesQuery.queryKey, choices),
  });
}

/** Notifications sent, newest first. */
export const useNotifications = () =>
  usePages(["notifications"], ({ cursor, signal }) =>
    call(notificationEndpoints.listNotifications, { query: { cursor }, signal }),
  );
