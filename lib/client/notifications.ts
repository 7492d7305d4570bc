import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ChooseNotifications, notificationEndpoints } from "../contract/notifications";
import { call } from "./call";
import { usePages } from "./pages";
import { reading } from "./read";

export const choicesQuery = reading(
  ["notification-choices"],
  notificationEndpoints.showNotificationChoices,
  {},
);

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
