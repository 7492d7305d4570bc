import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import {
  incidentEndpoints,
  type OpenIncidentBody,
  type UpdateIncidentBody,
} from "../contract/operator-incidents";
import { call } from "./call";

export const incidentsQuery = queryOptions({
  queryKey: ["operator", "incidents"],
  queryFn: ({ signal }) => call(incidentEndpoints.listIncidents, { signal }),
});

type Incidents = z.infer<(typeof incidentEndpoints)["listIncidents"]["answer"]>;

function useIncidentsMutation<Change>(send: (change: Change) => Promise<Incidents>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (incidents) => client.setQueryData(incidentsQuery.queryKey, incidents),
  });
}

export const useOpenIncident = () =>
  useIncidentsMutation((body: OpenIncidentBody) => call(incidentEndpoints.openIncident, { body }));

export const useUpdateIncident = () =>
  useIncidentsMutation(({ id, ...body }: UpdateIncidentBody & { id: string }) =>
    call(incidentEndpoints.updateIncident, { id, body }),
  );
