import { doneResponse, refundRequest, refundResponse } from "../contract/operator-accounts";
import {
  checkResponse,
  loggedRequestResponse,
  releaseNodeResponse,
  requestLogQuery,
  requestLogResponse,
  stuckResponse,
  tasksQuery,
  tasksResponse,
} from "../contract/operator-requests";
import { siteHandler } from "../http/site";
import { listAllTasks } from "../queries/operator-tasks";
import { listRequests, loggedRequest } from "../queries/requests";
import { showStuck } from "../queries/stuck";
import type { Host } from "../site/site-routes";
import { refundRequestCharge } from "./account-actions";
import { checkNow, giveNodeUp } from "./stuck";
import { checkTaskNow } from "./tasks";

/** `/api/admin/requests…`, `/tasks`, `/stuck` and `/nodes`. */
export function requestRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { ...read, proof: "recent" } as const;
  return {
    listRequests: siteHandler(host, {
      ...read,
      query: requestLogQuery,
      answer: requestLogResponse,
      run: ({ parts, query }) => listRequests(parts, query),
    }),
    showAnyRequest: siteHandler(host, { ...read, answer: loggedRequestResponse, run: ({ parts, id }) => loggedRequest(parts, { id }) }),
    refundCharge: siteHandler(host, { ...write, body: refundRequest, answer: refundResponse, run: refundRequestCharge }),
    listTasks: siteHandler(host, {
      ...read,
      query: tasksQuery,
      answer: tasksResponse,
      run: ({ parts, query }) => listAllTasks(parts, query),
    }),
    checkTask: siteHandler(host, { ...read, answer: doneResponse, run: checkTaskNow }),
    showStuck: siteHandler(host, { ...read, answer: stuckResponse, run: ({ parts }) => showStuck(parts) }),
    checkNow: siteHandler(host, { ...read, answer: checkResponse, run: checkNow }),
    releaseNode: siteHandler(host, { ...write, answer: releaseNodeResponse, run: giveNodeUp }),
  };
}
