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
import type { Host } from "../site/site-routes";
import { refundRequestCharge } from "./account-actions";
import { listRequests, showAnyRequest } from "./requests";
import { checkNow, giveNodeUp, showStuck } from "./stuck";
import { checkTaskNow, listTasks } from "./tasks";

/** `/api/admin/requests…`, `/tasks`, `/stuck` and `/nodes`. */
export function requestRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { ...read, proof: "recent" } as const;
  return {
    listRequests: siteHandler(host, { ...read, query: requestLogQuery, answer: requestLogResponse, run: listRequests }),
    showAnyRequest: siteHandler(host, { ...read, answer: loggedRequestResponse, run: showAnyRequest }),
    refundCharge: siteHandler(host, { ...write, body: refundRequest, answer: refundResponse, run: refundRequestCharge }),
    listTasks: siteHandler(host, { ...read, query: tasksQuery, answer: tasksResponse, run: listTasks }),
    checkTask: siteHandler(host, { ...read, answer: doneResponse, run: checkTaskNow }),
    showStuck: siteHandler(host, { ...read, answer: stuckResponse, run: showStuck }),
    checkNow: siteHandler(host, { ...read, answer: checkResponse, run: checkNow }),
    releaseNode: siteHandler(host, { ...write, answer: releaseNodeResponse, run: giveNodeUp }),
  };
}
